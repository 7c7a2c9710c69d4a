//! Ctrl-C and SIGTERM: no half-written file is ever left. Verbs that search finish what they write and come back with what
//! they have; all others end at once.

use std::sync::atomic::{AtomicBool, Ordering};

use gaitway::io::output::remove_unfinished;

use super::CliError;

/// What shells expect of a program that was interrupted.
const INTERRUPTED: i32 = 130;

static STOP: AtomicBool = AtomicBool::new(false);
static LOOKS: AtomicBool = AtomicBool::new(false);

/// From now on the program takes its unfinished files away before it ends. Where a signal is ignored on whoever's behalf
/// started us (`nohup`), that stays so.
pub fn listen() {
    let _ = ctrlc::try_set_handler(|| {
        let first = !STOP.swap(true, Ordering::Relaxed);
        if first && LOOKS.load(Ordering::Relaxed) {
            return;
        }
        let _nothing_more = remove_unfinished();
        std::process::exit(INTERRUPTED);
    });
}

/// From now on the verb looks at the flag itself: the program ends at once only when asked twice.
pub fn on_ctrl_c() {
    LOOKS.store(true, Ordering::Relaxed);
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
