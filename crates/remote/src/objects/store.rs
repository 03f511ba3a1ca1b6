//! What an upstream needs of an object store.

use memtape_upstream::Result;
use object_store::UpdateVersion;

/// The content of an object, and its version for [`Store::swap`].
#[derive(Clone, Debug)]
pub struct Object {
    /// The content.
    pub bytes: Vec<u8>,
    /// The version that has this content.
    pub version: Version,
}

/// A version of an object: its entity tag, or its generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version(pub(super) UpdateVersion);

impl Version {
    /// Creates a version from an entity tag.
    #[must_use]
    pub fn from_tag(tag: String) -> Self {
        Self(UpdateVersion { e_tag: Some(tag), version: None })
    }
}

/// The result of [`Store::read`].
#[derive(Clone, Debug)]
pub enum Read {
    /// There is no object of this key.
    Missing,
    /// The object still has the version that the caller knows.
    Unchanged,
    /// The object.
    Object(Object),
}

/// An object store, below a prefix. Keys are relative to it.
///
/// What an operation has written, every later one sees.
///
/// # Errors
/// Of every operation: [`Error::Unreachable`](memtape_upstream::Error::Unreachable) if the store cannot be reached,
/// [`Error::Unknown`](memtape_upstream::Error::Unknown) if the connection fails after a write was sent,
/// [`Error::Refused`](memtape_upstream::Error::Refused) if the store rejects the request, and
/// [`Error::Damaged`](memtape_upstream::Error::Damaged) if what it returns is not what a writer wrote.
pub trait Store: Send + Sync {
    /// Reads an object, unless it still has the version `known`.
    fn read(&self, key: &str, known: Option<&Version>) -> Result<Read>;

    /// Creates an object; `None` if there is one of this key.
    fn create(&self, key: &str, bytes: &[u8]) -> Result<Option<Version>>;

    /// Replaces an object that has this version; `None` if it has another one, or does not exist.
    fn swap(&self, key: &str, bytes: &[u8], version: &Version) -> Result<Option<Version>>;

    /// Deletes objects. Those that do not exist are not an error.
    fn delete(&self, keys: &[String]) -> Result<()>;

    /// Returns the keys in a folder, without those whose names do not sort after `from`, in order.
    fn list(&self, folder: &str, from: &str) -> Result<Vec<String>>;
}
