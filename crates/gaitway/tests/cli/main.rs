//! The command line through the real binary, in fresh folders.

mod clips;
mod demo;
mod feet;
mod graphs;
mod paths;
mod studio;
mod support;
