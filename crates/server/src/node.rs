//! A workspace as a server holds it: opened on first use, called on blocking threads.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use memtape::{Error, Result, Workspace};
use tokio::task;

/// The delay after a write before the server computes vectors, so that a burst of writes is one batch.
const IDLE: Duration = Duration::from_millis(200);

/// A workspace that is opened when the first call needs it.
///
/// A failure to open it is reported to the call, and the next call tries again.
pub struct Node {
    open: Box<dyn Fn() -> Result<Workspace> + Send + Sync>,
    workspace: Mutex<Option<Arc<Workspace>>>,
    is_embedding: AtomicBool,
}

impl Node {
    /// Returns a node that opens its workspace with a function.
    #[must_use]
    pub fn new(open: impl Fn() -> Result<Workspace> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            open: Box::new(open),
            workspace: Mutex::new(None),
            is_embedding: AtomicBool::new(false),
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

    /// Computes the vectors of new memories when the server is idle, a few at a time. At most one task does so.
    fn embed_later(self: &Arc<Self>) {
        if self.is_embedding.swap(true, Ordering::AcqRel) {
            return;
        }
        let node = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(IDLE).await;
            node.is_embedding.store(false, Ordering::Release);
            loop {
                match node.read(Workspace::embed_idle).await {
                    Ok(0) => break,
                    Ok(_) => {}
                    Err(e) => {
                        let _ = writeln!(io::stderr(), "memtape: warning: {e}");
                        break;
                    }
                }
            }
        });
    }
}
