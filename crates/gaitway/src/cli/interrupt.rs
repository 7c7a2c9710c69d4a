//! Ctrl-C: what is being written is finished, what is being searched comes back as far as it is.

use std::sync::atomic::{AtomicBool, Ordering};

use super::CliError;

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C sets a flag, and ends the program only when asked twice.
pub fn on_ctrl_c() -> Result<(), CliError> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(|e| CliError::new(e.to_string()))
}

/// Whether Ctrl-C was pressed.
pub fn stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Ends a verb that has nothing whole to show yet.
pub fn go_on() -> Result<(), CliError> {
    if stopped() {
        return Err(CliError::new("stopped"));
    }
    Ok(())
}

/// The flag itself, for searches.
pub fn flag() -> &'static AtomicBool {
    &STOP
}
