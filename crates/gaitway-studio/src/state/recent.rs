//! What was used of late, held in memory: as much as fits, the longest unused goes first.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Values by key, newest use last. The newest is held however large it is.
#[derive(Debug)]
pub struct Recent<T> {
    most: usize,
    size: fn(&T) -> usize,
    held: Mutex<VecDeque<(String, Arc<T>)>>,
}

impl<T> Recent<T> {
    /// Holds values whose sizes sum up to this at most: bytes, or how many.
    pub fn new(most: usize, size: fn(&T) -> usize) -> Self {
        Self {
            most,
            size,
            held: Mutex::default(),
        }
    }

    fn held(&self) -> MutexGuard<'_, VecDeque<(String, Arc<T>)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value of a key, made where it is not held. Nothing is locked while it is made: two who ask at once may both make it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn get<E>(&self, key: &str, make: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        if let Some(found) = self.find(key) {
            return Ok(found);
        }
        let made = Arc::new(make()?);
        self.put(key, made.clone());
        Ok(made)
    }

    fn find(&self, key: &str) -> Option<Arc<T>> {
        let mut held = self.held();
        let at = held.iter().position(|(k, _)| k == key)?;
        let entry = held.remove(at)?;
        let found = entry.1.clone();
        held.push_back(entry);
        Some(found)
    }

    fn put(&self, key: &str, value: Arc<T>) {
        let mut held = self.held();
        held.retain(|(k, _)| k != key);
        held.push_back((key.to_owned(), value));
        let mut sum: usize = held.iter().map(|(_, v)| (self.size)(v)).sum();
        while sum > self.most && held.len() > 1 {
            sum -= held.pop_front().map_or(0, |(_, v)| (self.size)(&v));
        }
    }

    /// Forgets keys that begin with a text.
    pub fn forget(&self, prefix: &str) {
        self.held().retain(|(k, _)| !k.starts_with(prefix));
    }

    /// Forgets one key.
    pub fn forget_one(&self, key: &str) {
        self.held().retain(|(k, _)| k != key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unused_goes_first_and_the_newest_stays() {
        let recent: Recent<usize> = Recent::new(10, |n| *n);
        let ask = |key: &str, n: usize| *recent.get(key, || Ok::<_, ()>(n)).expect("made");
        assert_eq!([ask("a", 4), ask("b", 5), ask("a", 9)], [4, 5, 4]);
        // `b` was not used since `a` was, so it makes room.
        assert_eq!([ask("c", 6), ask("a", 1), ask("b", 2)], [6, 4, 2]);
        assert_eq!([ask("large", 100), ask("large", 1)], [100, 100]);
        recent.forget("lar");
        assert_eq!(ask("large", 3), 3);
        recent.forget_one("larg");
        assert_eq!(ask("large", 4), 3);
        assert_eq!(recent.get("bad", || Err("no")).expect_err("not made"), "no");
    }
}
