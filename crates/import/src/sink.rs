//! Where a source puts what it reads.

use crate::error::Result;
use crate::item::{Item, Place};

/// Where a source puts what it reads.
pub trait Sink {
    /// Takes an item.
    ///
    /// # Errors
    /// [`Error::Memtape`](crate::Error::Memtape) if it cannot be written.
    fn item(&mut self, item: Item) -> Result<()>;

    /// Reports something that is left out, and why.
    fn skip(&mut self, place: Place, why: &str);

    /// Reports something that cannot be read, and why. If nothing else is read, the import fails for this reason.
    fn unreadable(&mut self, place: Place, why: &str) {
        self.skip(place, why);
    }
}
