//! gaitway
fn main() {}
