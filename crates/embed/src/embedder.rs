//! A loaded model, and the computation of vectors with it.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use rten::ThreadPool;
use rten_tensor::Tensor;
use rten_tensor::prelude::*;

use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::graph::{Graph, maximum, mean};
use crate::pieces::Reader;
use crate::wordpiece::{Folding, WordPiece};
use crate::{Identity, Loading, PIECES_MAX, built_in_identity};

/// The bundled model, in rten's own format: its weights are used where they lie in the program, so loading it copies
/// none of them.
static MODEL: &Aligned<[u8]> = &Aligned(*include_bytes!("../model/model.rten"));
static VOCABULARY: &str = include_str!("../model/vocab.txt");

/// The maximum number of texts that run in parallel; each needs memory of its own.
const SIDE_BY_SIDE: usize = 8;

/// Idle thread pools of one thread each. Starting one takes longer than a short text.
static IDLE: Mutex<Vec<Arc<ThreadPool>>> = Mutex::new(Vec::new());

/// A thread pool for one text, until it is dropped.
///
/// It has one thread: the layers of a short text are so small that a second thread mostly waits for the first, and keeps
/// a core busy meanwhile.
struct Lent(Arc<ThreadPool>);

impl Lent {
    fn new() -> Self {
        let pool = idle().pop();
        Self(pool.unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1))))
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut idle = idle();
        if idle.len() < SIDE_BY_SIDE {
            idle.push(Arc::clone(&self.0));
        }
    }
}

fn idle() -> MutexGuard<'static, Vec<Arc<ThreadPool>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes at an address that is aligned for every type of weight. Weights that are not aligned are copied.
#[repr(C, align(64))]
struct Aligned<B: ?Sized>(B);

/// A loaded sentence model. It can be used from several threads at once.
pub struct Embedder {
    identity: Identity,
    graph: Graph,
    reader: Reader,
}

/// A text that the first layers of the bundled model have read.
#[derive(Debug)]
pub struct Begun {
    pieces: Vec<i32>,
    inner: Tensor<f32>,
}

impl fmt::Debug for Embedder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedder").field("identity", &self.identity).finish_non_exhaustive()
    }
}

impl Embedder {
    /// Loads the bundled model, which takes about 10 ms. Load it once, and only when vectors are
    /// needed.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`], [`Error::NotSentences`] or [`Error::Run`] if the bundled files cannot be
    /// loaded, which is a bug in memtape.
    pub fn built_in(loading: Loading) -> Result<Self> {
        let graph = Graph::from_static(&MODEL.0, loading)?;
        let words = WordPiece::new(Cow::Borrowed(VOCABULARY), Folding::default())?;
        Ok(Self { identity: built_in_identity(), graph, reader: Reader::english(words, PIECES_MAX) })
    }

    /// Loads a sentence model from a directory: `model.onnx` (or `onnx/model.onnx`) with `tokenizer.json` or
    /// `vocab.txt`, in the layout in which such models are published.
    ///
    /// The files are hashed for the identity, and one text is run to check the model and find its number of
    /// dimensions.
    ///
    /// # Errors
    ///
    /// - [`Error::Incomplete`] if a required file is missing.
    /// - [`Error::Io`] if a file cannot be read.
    /// - [`Error::Unreadable`] if a file is not in the expected format or uses an unsupported operator.
    /// - [`Error::NotSentences`] if the model's inputs or outputs are not those of a sentence model.
    /// - [`Error::Run`] if the model fails on the test text.
    pub fn from_folder(dir: &Path, loading: Loading) -> Result<Self> {
        let folder = Folder::find(dir)?;
        let reader = folder.reader()?;
        let graph = folder.graph(loading)?;
        let identity = Identity { name: folder.name(), digest: folder.digest()?, dimensions: 0 };
        let mut embedder = Self { identity, graph, reader };
        embedder.identity.dimensions = embedder.embed_one("a text")?.len();
        Ok(embedder)
    }

    /// Returns the identity of the model.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Returns one vector per text, in order, each of [`Identity::dimensions`] numbers and of length 1.
    ///
    /// The texts run in parallel. Each vector is the same as that of [`Embedder::embed_one`].
    ///
    /// # Errors
    ///
    /// [`Error::Run`] or [`Error::NotSentences`] if the model fails on a text.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        side_by_side(texts, |text| text.len(), |text, pool| self.run(text, pool))
    }

    /// Returns the vector of one text, of length 1. An empty text has a vector too; it is all zeros if the
    /// tokenizer adds no special tokens.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] or [`Error::NotSentences`] if the model fails on the text.
    pub fn embed_one(&self, text: &str) -> Result<Vec<f32>> {
        self.run(text, &Lent::new().0)
    }

    /// Returns what an inner layer of the bundled model makes of a text: the mean state of all its tokens, then for each
    /// part the mean and the maximum of the states of its tokens, followed by the mean of the tokens around and in it.
    /// The states say more about the form of a statement (who speaks of whom, and when) than the vector of a text does.
    ///
    /// Parts are ranges in bytes, in order and between words. The text is glossed as for a vector. The model reads it in
    /// windows of 64 tokens, so that the time is proportional to its length, and a part of a long text has the same
    /// context as that of a short one. The state of a part beyond the first eight windows is empty.
    ///
    /// # Errors
    ///
    /// [`Error::NotSentences`] if the model is not the bundled one; [`Error::Run`] if it fails on the text.
    pub fn states(&self, text: &str, parts: &[Range<usize>]) -> Result<Vec<Vec<f32>>> {
        self.begin(text, parts).map(|(states, _)| states)
    }

    /// Returns the states of a text as [`Embedder::states`] does, and what is computed of its vector by then; `None` for a
    /// text of several windows.
    ///
    /// # Errors
    ///
    /// As [`Embedder::states`].
    pub fn begin(&self, text: &str, parts: &[Range<usize>]) -> Result<(Vec<Vec<f32>>, Option<Begun>)> {
        let windows = self.reader.read_parts(text, parts);
        let windows = windows.ok_or_else(|| Error::NotSentences("it is not the bundled model".to_owned()))?;
        let inner = side_by_side(
            &windows,
            |window| window.ids.len(),
            |window, pool| self.graph.states(&window.ids, pool),
        )?;
        let width = self.identity.dimensions;
        let mut all = Vec::new();
        let mut states = vec![Vec::new(); 1 + parts.len()];
        let (mut begun, is_one) = (None, windows.len() == 1);
        for (window, inner) in windows.into_iter().zip(inner) {
            let tokens = inner.to_vec();
            begun = is_one.then(|| Begun { pieces: window.ids, inner });
            for (part, span) in window.parts.into_iter().filter(|(_, span)| !span.is_empty()) {
                let own = &tokens[span.start * width..span.end * width];
                states[1 + part] = [mean(own, width), maximum(own, width), mean(&tokens, width)].concat();
            }
            all.extend(tokens);
        }
        states[0] = mean(&all, width);
        Ok((states, begun))
    }

    /// Returns the vector of a text as [`Embedder::embed_one`] does, in a third of the time if it was begun.
    ///
    /// # Errors
    ///
    /// As [`Embedder::embed_one`].
    pub fn embed_begun(&self, text: &str, begun: &Begun) -> Result<Vec<f32>> {
        let (pieces, pool) = (self.reader.read(text)?, Lent::new());
        match pieces == begun.pieces {
            true => self.graph.run_from(&pieces, &begun.inner, &pool.0),
            false => self.run(text, &pool.0),
        }
    }

    fn run(&self, text: &str, pool: &Arc<ThreadPool>) -> Result<Vec<f32>> {
        let pieces = self.reader.read(text)?;
        if pieces.is_empty() {
            // A tokenizer without enclosing tokens returns no tokens for an empty text.
            return Ok(vec![0.0; self.identity.dimensions]);
        }
        self.graph.run(&pieces, pool)
    }
}

/// Runs the model on several inputs in parallel, the longest first, so that no core is busy with a long one at the end
/// while the others are idle. Returns the results in the order of the inputs.
fn side_by_side<I: Sync, T: Send>(
    inputs: &[I],
    len: impl Fn(&I) -> usize,
    run: impl Fn(&I, &Arc<ThreadPool>) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let workers = cores().min(inputs.len()).min(SIDE_BY_SIDE);
    if workers < 2 {
        let pool = Lent::new();
        return inputs.iter().map(|input| run(input, &pool.0)).collect();
    }
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by_key(|&place| Reverse(len(&inputs[place])));
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, T)>> {
        let pool = Lent::new();
        let places = std::iter::from_fn(|| order.get(next.fetch_add(1, Ordering::Relaxed)));
        places.map(|&place| Ok((place, run(&inputs[place], &pool.0)?))).collect()
    };
    let done: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(thread::ScopedJoinHandle::join).collect()
    });
    let mut results = Vec::with_capacity(inputs.len());
    for part in done {
        results.extend(part.map_err(|_| Error::Run("a thread panicked".to_owned()))??);
    }
    results.sort_by_key(|(place, _)| *place);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// Returns the number of threads that this machine runs in parallel.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
