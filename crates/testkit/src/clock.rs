//! A clock that is set by hand.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use memtape::Clock;

/// A clock that stands still until it is moved. Clones are the same clock.
#[derive(Clone, Debug)]
pub struct TestClock(Arc<Mutex<Timestamp>>);

impl TestClock {
    /// A clock that shows this time.
    ///
    /// # Panics
    /// Where the text is no time.
    #[must_use]
    pub fn at(text: &str) -> Self {
        Self(Arc::new(Mutex::new(text.parse().expect("a test gives a time"))))
    }

    /// Moves it, forward or back.
    pub fn advance(&self, by: SignedDuration) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now += by;
    }

    /// Moves it forward by days.
    pub fn advance_days(&self, days: i64) {
        self.advance(SignedDuration::from_hours(24 * days));
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
