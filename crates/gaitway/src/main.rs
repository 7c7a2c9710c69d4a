//! The command line `gaitway`.

fn main() {}
