//! Questions that come faster than they can be answered: of one asker, the newest that waits takes the place of the others.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

use crate::error::{ApiError, Code};

/// More askers than this at once share a place: they may then take each other's turn, and ask again.
const MOST: usize = 256;
/// The longest name.
const LONGEST: usize = 80;

/// Who waits for what.
#[derive(Default)]
pub struct Askers {
    places: Mutex<BTreeMap<String, Arc<Place>>>,
}

#[derive(Default)]
struct Place {
    newest: Mutex<u64>,
    work: Arc<tokio::sync::Mutex<()>>,
}

impl Askers {
    /// Waits until nothing of the same asker is worked on; held while the question is.
    ///
    /// # Errors
    /// When a newer question came meanwhile, or the name is none.
    pub async fn turn(&self, name: &str) -> Result<OwnedMutexGuard<()>, ApiError> {
        if name.is_empty() || name.len() > LONGEST {
            let what = format!("a name has 1 to {LONGEST} letters");
            return Err(ApiError::bad(what)
                .field("client")
                .hint("any text that no other tab or program uses will do"));
        }
        let place = self.place(name);
        let mine = {
            let mut newest = place.newest.lock().unwrap_or_else(PoisonError::into_inner);
            *newest += 1;
            *newest
        };
        let turn = place.work.clone().lock_owned().await;
        let newest = *place.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if newest == mine {
            Ok(turn)
        } else {
            Err(ApiError::new(
                Code::Conflict,
                "a newer request of the same client replaced this one",
            )
            .hint("its answer is the one to show"))
        }
    }

    fn place(&self, name: &str) -> Arc<Place> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() >= MOST && !places.contains_key(name) {
            // Whoever waits or works holds on to their place.
            places.retain(|_, p| Arc::strong_count(p) > 1);
        }
        let key = if places.len() < MOST { name } else { "" };
        places.entry(key.to_owned()).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_newest_that_waits_is_answered() {
        let askers = Arc::new(Askers::default());
        let first = askers.turn("a tab").await.expect("free");
        let ask = |name: &'static str| {
            let askers = askers.clone();
            tokio::spawn(async move { askers.turn(name).await.map(drop) })
        };
        let second = ask("a tab");
        let newest = |n: u64| {
            let askers = askers.clone();
            async move {
                while *askers.place("a tab").newest.lock().expect("one thread") < n {
                    tokio::task::yield_now().await;
                }
            }
        };
        newest(2).await;
        let third = ask("a tab");
        newest(3).await;
        // Somebody else does not wait.
        ask("another").await.expect("runs").expect("free");
        drop(first);
        let passed = second.await.expect("runs").expect_err("passed over");
        assert_eq!(passed.body().code, Code::Conflict);
        third.await.expect("runs").expect("answered");
        askers.turn("a tab").await.expect("free again");
        assert!(askers.turn("").await.is_err());
        for k in 0..2 * MOST {
            askers.turn(&k.to_string()).await.expect("free");
        }
        assert!(askers.places.lock().expect("one thread").len() <= MOST);
    }
}
