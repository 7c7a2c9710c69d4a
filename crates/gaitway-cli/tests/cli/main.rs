//! The command line through the real binary, in fresh folders.

mod actions;
mod calibrate;
mod characters;
mod clips;
mod demo;
mod duplicates;
mod eval;
mod everywhere;
mod feet;
mod files;
mod goldens;
mod graphs;
mod numbers;
mod one_plan;
mod outputs;
mod paths;
mod real_faults;
mod reports;
mod retarget;
mod same_graph;
mod signals;
mod studio;
mod support;
mod times;
mod told;
