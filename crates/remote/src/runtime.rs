//! The threads on which the clients of other systems run.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};

/// Number of threads. They wait for the network, and hardly compute.
const THREADS: usize = 2;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .worker_threads(THREADS)
        .thread_name("memtape-remote")
        .enable_all()
        .build()
        .expect("the operating system starts threads")
});

/// Waits for a future. The caller is on a thread that may block.
pub(crate) fn wait<T>(future: impl Future<Output = T>) -> T {
    RUNTIME.block_on(future)
}
