//! A manual clock.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use memtape::Clock;

/// A clock that changes only when it is moved. Clones share the time.
#[derive(Clone, Debug)]
pub struct TestClock(Arc<Mutex<Timestamp>>);

impl TestClock {
    /// Creates a clock that shows this time.
    ///
    /// # Panics
    /// If the text is not a timestamp.
    #[must_use]
    pub fn at(text: &str) -> Self {
        Self(Arc::new(Mutex::new(text.parse().expect("a test gives a time"))))
    }

    /// Moves the clock; a negative duration moves it back.
    pub fn advance(&self, by: SignedDuration) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now += by;
    }

    /// Moves the clock forward by days of 24 hours.
    pub fn advance_days(&self, days: i64) {
        self.advance(SignedDuration::from_hours(24 * days));
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
