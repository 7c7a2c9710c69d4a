//! Files and folders that appear whole or not at all: written beside their place as a *part* (`.gaitway-XXXXXX.part`), then renamed.
//!
//! A program that is told to end takes its parts away first ([`remove_unfinished`]). One that is killed cannot; whoever writes into the
//! same folder next sweeps what it left ([`sweep`]). A part is locked as long as it is written, and the system lets go of the lock with the
//! process, however that ends: what can be locked belongs to nobody any more, and what cannot is never touched.

mod list;
mod part;
mod sweep;

pub use list::{WritesBlocked, blocked_while, remove_unfinished};
pub use part::{PartFile, PartFolder, folder_of};
pub use sweep::{has_random_name, is_part, sweep};
