//! An object store that counts its requests, and that fails where a test says.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use memtape_remote::objects::store::{Read, Store, Version};
use memtape_upstream::{Error, Result};

/// When the process that uses a store dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Death {
    /// Before this request.
    Before(usize),
    /// After this request, before its answer.
    After(usize),
}

/// An object store that is watched.
pub(crate) struct Watched {
    inner: Arc<dyn Store>,
    requests: Mutex<Vec<&'static str>>,
    death: Mutex<Option<Death>>,
    /// How every request fails once an object was created, or was there already.
    pub(crate) fails_after_creation: Option<Error>,
    has_created: AtomicBool,
    /// How long each read takes in addition.
    pub(crate) delay: Duration,
    /// Whether it refuses to write.
    pub(crate) is_read_only: bool,
    /// Whether it refuses to replace and to delete objects.
    pub(crate) keeps_objects: bool,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
}

impl Watched {
    pub(crate) fn new(inner: Arc<dyn Store>) -> Self {
        Self {
            inner,
            requests: Mutex::default(),
            death: Mutex::default(),
            fails_after_creation: None,
            has_created: AtomicBool::new(false),
            delay: Duration::ZERO,
            is_read_only: false,
            keeps_objects: false,
            in_flight: AtomicUsize::new(0),
            most_in_flight: AtomicUsize::new(0),
        }
    }

    /// Lets the store fail from a request on, counted from 0 from now.
    pub(crate) fn die(&self, death: Death) {
        self.requests.lock().unwrap().clear();
        *self.death.lock().unwrap() = Some(death);
    }

    /// Returns the requests since the last call, and how many of them there were at once.
    pub(crate) fn take(&self) -> (Vec<&'static str>, usize) {
        (std::mem::take(&mut self.requests.lock().unwrap()), self.most_in_flight.swap(0, Ordering::SeqCst))
    }

    fn request<T>(&self, name: &'static str, act: impl FnOnce() -> Result<T>) -> Result<T> {
        let number = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(name);
            requests.len() - 1
        };
        let failed = || Err(Error::Unknown { upstream: "watched".into(), why: "the process is dead".into() });
        if let Some(error) =
            self.fails_after_creation.as_ref().filter(|_| self.has_created.load(Ordering::SeqCst))
        {
            return Err(error.clone());
        }
        let death = *self.death.lock().unwrap();
        match death {
            Some(Death::Before(at)) if number >= at => return failed(),
            Some(Death::After(at)) if number > at => return failed(),
            _ if self.is_read_only && matches!(name, "create" | "swap" | "delete") => {
                return Err(Error::Refused { upstream: "watched".into(), why: "access denied".into() });
            }
            _ if self.keeps_objects && matches!(name, "swap" | "delete") => {
                return Err(Error::Refused { upstream: "watched".into(), why: "a retention policy".into() });
            }
            _ => {}
        }
        let in_flight = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(in_flight, Ordering::SeqCst);
        thread::sleep(self.delay);
        let done = act();
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        self.has_created.fetch_or(name == "create", Ordering::SeqCst);
        if death == Some(Death::After(number)) { failed() } else { done }
    }
}

impl Store for Watched {
    fn read(&self, key: &str, known: Option<&Version>) -> Result<Read> {
        self.request("read", || self.inner.read(key, known))
    }

    fn create(&self, key: &str, bytes: &[u8]) -> Result<Option<Version>> {
        self.request("create", || self.inner.create(key, bytes))
    }

    fn swap(&self, key: &str, bytes: &[u8], version: &Version) -> Result<Option<Version>> {
        self.request("swap", || self.inner.swap(key, bytes, version))
    }

    fn delete(&self, keys: &[String]) -> Result<()> {
        self.request("delete", || self.inner.delete(keys))
    }

    fn list(&self, folder: &str, from: &str) -> Result<Vec<String>> {
        self.request("list", || self.inner.list(folder, from))
    }
}
