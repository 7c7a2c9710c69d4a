//! Numbers and pictures of motion.

pub mod draw;
