//! A workspace as a server holds it: opened on first use, called on blocking threads.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use memtape::{Error, Result, Workspace};
use tokio::task;

/// The delay after a write before the server computes vectors, so that a burst of writes is one batch.
const IDLE: Duration = Duration::from_millis(if cfg!(test) { 20 } else { 200 });
/// The time between two batches of vectors, in which a recall can use the model.
const PAUSE: Duration = Duration::from_millis(10);

/// A workspace that is opened when the first call needs it.
///
/// A failure to open it is reported to the call, and the next call tries again.
pub struct Node {
    open: Box<dyn Fn() -> Result<Workspace> + Send + Sync>,
    workspace: Mutex<Option<Arc<Workspace>>>,
    /// Whether a task waits to compute vectors.
    is_waiting: AtomicBool,
    /// Held by the task that computes vectors.
    embedding: tokio::sync::Mutex<()>,
}

impl Node {
    /// Returns a node that opens its workspace with a function.
    #[must_use]
    pub fn new(open: impl Fn() -> Result<Workspace> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            open: Box::new(open),
            workspace: Mutex::new(None),
            is_waiting: AtomicBool::new(false),
            embedding: tokio::sync::Mutex::default(),
        })
    }

    /// Returns the workspace, and opens it if this is the first call. Blocks meanwhile.
    fn workspace(&self) -> Result<Arc<Workspace>> {
        let mut workspace = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(workspace) = &*workspace {
            return Ok(Arc::clone(workspace));
        }
        let opened = Arc::new((self.open)()?);
        *workspace = Some(Arc::clone(&opened));
        Ok(opened)
    }

    /// Runs a call that writes nothing, on a blocking thread.
    ///
    /// # Errors
    /// Any error of opening the workspace or of the call. [`Error::Caller`] if the call panicked.
    pub async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        call: impl FnOnce(&Workspace) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let node = Arc::clone(self);
        let called = task::spawn_blocking(move || {
            let workspace = node.workspace()?;
            let result = call(&workspace);
            for warning in workspace.take_warnings() {
                let _ = writeln!(io::stderr(), "memtape: warning: {warning}");
            }
            result
        });
        called.await.unwrap_or_else(|e| Err(Error::caller(e)))
    }

    /// Runs a call that may write, on a blocking thread. The vectors of the new memories are computed afterwards.
    ///
    /// # Errors
    /// As [`Node::read`].
    pub async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        call: impl FnOnce(&Workspace) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let result = self.read(call).await;
        if result.is_ok() {
            self.embed_later();
        }
        result
    }

    /// Computes the vectors of new memories when the server is idle, a few at a time.
    fn embed_later(self: &Arc<Self>) {
        self.embed_later_with(Workspace::embed_idle);
    }

    /// Calls a function of [`Workspace::embed_idle`]'s kind until nothing is pending. At most one task does so, and
    /// at most one more waits to do so after it, for what was written in the meantime.
    fn embed_later_with(
        self: &Arc<Self>,
        embed: impl Fn(&Workspace) -> Result<u64> + Clone + Send + 'static,
    ) {
        if self.is_waiting.swap(true, Ordering::AcqRel) {
            return;
        }
        let node = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(IDLE).await;
            let _embedding = node.embedding.lock().await;
            node.is_waiting.store(false, Ordering::Release);
            loop {
                match node.read(embed.clone()).await {
                    Ok(0) => break,
                    // A recall that waits for the model gets its turn.
                    Ok(_) => tokio::time::sleep(PAUSE).await,
                    Err(e) => {
                        let _ = writeln!(io::stderr(), "memtape: warning: {e}");
                        break;
                    }
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use memtape::Options;

    use super::*;

    /// What is called for vectors, until all were computed.
    type Embed = Arc<dyn Fn(&Workspace) -> Result<u64> + Send + Sync>;

    #[test]
    fn one_task_computes_the_vectors_of_many_writes() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().to_owned();
        let node = Node::new(move || Workspace::init(&path, Options::default()));
        let (begin, begun) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let ended = Mutex::new(ended);
        let embed: Embed = Arc::new(move |_| {
            begin.send(()).expect("the test listens");
            Ok(ended.lock().expect("no call panics").recv().unwrap_or_default())
        });
        let embed = move |workspace: &Workspace| embed(workspace);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build();
        let runtime = runtime.expect("a runtime");
        let _inside = runtime.enter();
        node.embed_later_with(embed.clone());
        begun.recv().expect("the first task computes");
        for _ in 0..4 {
            node.embed_later_with(embed.clone());
        }
        assert!(begun.recv_timeout(5 * IDLE).is_err(), "two tasks compute at once");
        end.send(8).expect("the first task waits");
        begun.recv().expect("the first task goes on");
        end.send(0).expect("the first task waits");
        begun.recv().expect("another task computes what was written meanwhile");
        end.send(0).expect("the second task waits");
    }
}
