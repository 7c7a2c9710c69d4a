//! Walks through a graph: at random, from here to there, round and round.

mod connect;
mod in_place;
mod loops;
mod place;
mod random;
mod rng;

pub use connect::{By, connect};
pub use in_place::take_out_net;
pub use loops::{Loop, LoopOptions, Within, find_loop};
pub use place::{Place, find_label, parse_place};
pub use random::{RandomWalk, random_walk};
