//! Test workspaces with an upstream: the tests of a workspace as they are, over a shared tape.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, process};

use memtape::Upstream;
use memtape_remote::objects::{Limits, Objects};
use memtape_upstream::MemoryUpstream;

use crate::postgres::Server;
use crate::s3;

/// The variable that gives every test workspace an upstream.
const VARIABLE: &str = "MEMTAPE_TEST_UPSTREAM";

type Make = Rc<dyn Fn() -> Arc<dyn Upstream>>;

thread_local! {
    static MAKE: RefCell<Option<Make>> = const { RefCell::new(None) };
}

/// Runs a test in which each new [`TestWorkspace`](crate::TestWorkspace) of this thread is a replica of a new upstream
/// that `make` returns, with an empty tape.
pub fn with<T>(make: impl Fn() -> Arc<dyn Upstream> + 'static, test: impl FnOnce() -> T) -> T {
    MAKE.set(Some(Rc::new(make)));
    let done = test();
    MAKE.set(None);
    done
}

/// Returns an upstream for a new test workspace, if it is to have one: that of [`with`], else of the kind that
/// `MEMTAPE_TEST_UPSTREAM` names (`memory`, `postgres` or `s3`).
pub(crate) fn next() -> Option<Arc<dyn Upstream>> {
    if let Some(make) = MAKE.with_borrow(Clone::clone) {
        return Some(make());
    }
    let kind = env::var(VARIABLE).ok()?;
    Some(new(&kind))
}

/// Returns a new upstream of a kind, with an empty tape.
///
/// # Panics
/// If the kind is unknown, or the system does not start.
#[must_use]
pub fn new(kind: &str) -> Arc<dyn Upstream> {
    let name = name();
    let upstream: Arc<dyn Upstream> = match kind {
        "memory" => Arc::new(MemoryUpstream::new(&name)),
        "postgres" => memtape_remote::open(&Server::shared().url(&name)).expect("the address is valid"),
        "s3" => {
            let (server, url) = (s3::Server::shared(), format!("s3://bucket/{name}"));
            let opened = Objects::open_with(&url, &server.options(), Limits::default());
            Arc::new(opened.expect("the address is valid"))
        }
        other => panic!("{VARIABLE}={other} is neither memory, postgres nor s3"),
    };
    upstream.create().expect("the upstream takes a tape");
    upstream
}

/// Returns a name for a tape that no other test uses.
#[must_use]
pub fn name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    format!("test-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
