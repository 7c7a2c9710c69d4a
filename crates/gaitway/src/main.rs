//! The command line `gaitway`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
