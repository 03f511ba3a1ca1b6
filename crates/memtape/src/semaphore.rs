//! Limits how many threads do the same work at once.

use std::sync::{Condvar, Mutex, PoisonError};

/// A counting semaphore.
pub(crate) struct Semaphore {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A permit of a [`Semaphore`], returned when it is dropped.
pub(crate) struct Permit<'s>(&'s Semaphore);

impl Semaphore {
    /// Returns a semaphore with a number of permits.
    pub(crate) const fn new(permits: usize) -> Self {
        Self { free: Mutex::new(permits), freed: Condvar::new() }
    }

    /// Waits for a permit.
    pub(crate) fn acquire(&self) -> Permit<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.freed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Semaphore;

    #[test]
    fn at_most_as_many_hold_a_permit_as_there_are() {
        let semaphore = Semaphore::new(2);
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let _permit = semaphore.acquire();
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(most.load(Ordering::SeqCst) <= 2, "{most:?}");
        // Every permit was returned.
        let (_first, _second) = (semaphore.acquire(), semaphore.acquire());
    }
}
