//! Purpose: a loaded model, and texts through it.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;

use rten::ThreadPool;

use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::graph::Graph;
use crate::pieces::Reader;
use crate::wordpiece::{Folding, WordPiece};
use crate::{Identity, Loading, PIECES_MAX, built_in_identity};

static MODEL: &[u8] = include_bytes!("../model/model.onnx");
static VOCABULARY: &str = include_str!("../model/vocab.txt");

/// The most threads that run one text: its layers are too small to feed more.
const THREADS_OF_ONE: usize = 4;
/// The most texts that are run side by side; each takes memory of its own.
const SIDE_BY_SIDE: usize = 8;

/// Runs one text over several cores. Made once in a process.
static POOL_OF_ONE: LazyLock<Arc<ThreadPool>> =
    LazyLock::new(|| Arc::new(ThreadPool::with_num_threads(cores().min(THREADS_OF_ONE))));

/// A loaded sentence model. It can be asked from several threads at once.
pub struct Embedder {
    identity: Identity,
    graph: Graph,
    reader: Reader,
}

impl fmt::Debug for Embedder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedder").field("identity", &self.identity).finish_non_exhaustive()
    }
}

impl Embedder {
    /// Loads the model inside the program: some 35 ms and 70 MB. Load it once, and only when vectors are needed.
    ///
    /// # Errors
    ///
    /// None that can be mended: the files are part of the program.
    pub fn built_in(loading: Loading) -> Result<Self> {
        // The vocabulary takes a fifth of the graph's time: it is read beside it.
        let (graph, words) = thread::scope(|scope| {
            let graph = scope.spawn(|| Graph::from_static(MODEL, loading));
            let words = WordPiece::new(Cow::Borrowed(VOCABULARY), Folding::default());
            (graph.join().unwrap_or_else(|_| Err(broke_down())), words)
        });
        Ok(Self { identity: built_in_identity(), graph: graph?, reader: Reader::words(words?, PIECES_MAX) })
    }

    /// Loads another sentence model from a folder: `model.onnx` (or `onnx/model.onnx`) with `tokenizer.json` or
    /// `vocab.txt`, in the layout in which such models are published.
    ///
    /// The files are hashed for the identity, and one text is run to see that the model is what it should be.
    ///
    /// # Errors
    ///
    /// [`Error::Incomplete`] if a file is missing, [`Error::Io`] or [`Error::Unreadable`] if one cannot be read,
    /// [`Error::NotSentences`] if the model's inputs or outputs are others.
    pub fn from_folder(dir: &Path, loading: Loading) -> Result<Self> {
        let folder = Folder::find(dir)?;
        let reader = folder.reader()?;
        let graph = folder.graph(loading)?;
        let identity = Identity { name: folder.name(), digest: folder.digest()?, dimensions: 0 };
        let mut embedder = Self { identity, graph, reader };
        embedder.identity.dimensions = embedder.embed_one("a text")?.len();
        Ok(embedder)
    }

    /// Which model this is.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// One vector for each text, in their order; each of [`Identity::dimensions`] numbers and of length 1. Texts are
    /// run side by side, and each vector is the one [`Embedder::embed_one`] gives.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if the model fails on a text.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let workers = cores().min(texts.len()).min(SIDE_BY_SIDE);
        if workers < 2 {
            return texts.iter().map(|text| self.embed_one(text)).collect();
        }
        // The longest go first, so that no core is left alone with a long one at the end.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&place| Reverse(texts[place].len()));
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<(usize, Vec<f32>)>> {
            let pool = Arc::new(ThreadPool::with_num_threads(1));
            let places = std::iter::from_fn(|| order.get(next.fetch_add(1, Ordering::Relaxed)));
            places.map(|&place| Ok((place, self.run(texts[place], &pool)?))).collect()
        };
        let done: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        let mut vectors = vec![Vec::new(); texts.len()];
        for part in done {
            let part = part.map_err(|_| broke_down())??;
            part.into_iter().for_each(|(place, vector)| vectors[place] = vector);
        }
        Ok(vectors)
    }

    /// The vector of one text. An empty text has one too: that of saying nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if the model fails on it.
    pub fn embed_one(&self, text: &str) -> Result<Vec<f32>> {
        self.run(text, &POOL_OF_ONE)
    }

    fn run(&self, text: &str, pool: &Arc<ThreadPool>) -> Result<Vec<f32>> {
        let pieces = self.reader.read(text)?;
        if pieces.is_empty() {
            // A tokenizer that puts nothing around a text leaves nothing of an empty one.
            return Ok(vec![0.0; self.identity.dimensions]);
        }
        self.graph.run(&pieces, pool)
    }
}

fn broke_down() -> Error {
    Error::Run("a thread broke down".to_owned())
}

/// How many threads run at once on this machine.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
