//! A directory that holds a sentence model, in the layout in which such models are published.
//!
//! | file | |
//! |---|---|
//! | `model.onnx` or `onnx/model.onnx` | the graph |
//! | `tokenizer.json` or `vocab.txt` | the tokenizer; the former is preferred, and needs the feature `tokenizers` |
//! | `tokenizer_config.json` | for `vocab.txt`: `do_lower_case` and `strip_accents`; optional |
//! | `1_Pooling/config.json` | `pooling_mode_cls_token`: use the first token instead of the mean; optional |
//! | `sentence_bert_config.json` | `max_seq_length`, if it is below [`PIECES_MAX`]; optional |

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::Loading;
use crate::PIECES_MAX;
use crate::error::{Error, Result};
use crate::graph::{Graph, Pooling};
use crate::pieces::Reader;
use crate::wordpiece::{Folding, WordPiece};

/// Names of files beside the graph that hold its weights, if they are not in the graph's file.
const OUTSIDE: [&str; 2] = ["model.onnx_data", "model.onnx.data"];

/// The files that describe a tokenizer, the preferred one first.
#[cfg(feature = "tokenizers")]
const TOKENIZERS: [&str; 2] = ["tokenizer.json", "vocab.txt"];
#[cfg(not(feature = "tokenizers"))]
const TOKENIZERS: [&str; 2] = ["vocab.txt", "tokenizer.json"];

/// The files of a model.
pub(crate) struct Folder {
    dir: PathBuf,
    model: PathBuf,
    tokenizer: PathBuf,
}

#[derive(Default, Deserialize)]
struct TokenizerConfig {
    do_lower_case: Option<bool>,
    strip_accents: Option<bool>,
}

#[derive(Default, Deserialize)]
struct PoolingConfig {
    #[serde(default)]
    pooling_mode_cls_token: bool,
}

#[derive(Default, Deserialize)]
struct SentenceConfig {
    max_seq_length: Option<usize>,
}

impl Folder {
    /// Finds the files without reading them.
    ///
    /// # Errors
    ///
    /// [`Error::Incomplete`] if a required file is missing.
    pub(crate) fn find(dir: &Path) -> Result<Self> {
        let first = |names: [&str; 2], missing| {
            let mut paths = names.into_iter().map(|name| dir.join(name));
            let missing = || Error::Incomplete { folder: dir.to_owned(), missing };
            paths.find(|path| path.is_file()).ok_or_else(missing)
        };
        Ok(Self {
            dir: dir.to_owned(),
            model: first(["model.onnx", "onnx/model.onnx"], "model.onnx (or onnx/model.onnx)")?,
            tokenizer: first(TOKENIZERS, "tokenizer.json (or vocab.txt)")?,
        })
    }

    /// Returns the name of the directory.
    pub(crate) fn name(&self) -> String {
        let real = fs::canonicalize(&self.dir).unwrap_or_else(|_| self.dir.clone());
        real.file_name().map_or_else(|| "model".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// Loads the graph.
    pub(crate) fn graph(&self, loading: Loading) -> Result<Graph> {
        let config: PoolingConfig = self.config("1_Pooling/config.json")?;
        let pooling = if config.pooling_mode_cls_token { Pooling::First } else { Pooling::Mean };
        Graph::from_file(&self.model, pooling, loading)
    }

    /// Loads the tokenizer.
    pub(crate) fn reader(&self) -> Result<Reader> {
        let config: SentenceConfig = self.config("sentence_bert_config.json")?;
        let max = config.max_seq_length.unwrap_or(PIECES_MAX);
        let bytes = read(&self.tokenizer)?;
        if self.tokenizer.ends_with("tokenizer.json") {
            return Reader::described(&bytes, max);
        }
        let text = String::from_utf8(bytes).map_err(|why| Error::unreadable("vocab.txt", &why))?;
        let config: TokenizerConfig = self.config("tokenizer_config.json")?;
        let lower_case = config.do_lower_case.unwrap_or(true);
        let folding = Folding { lower_case, strip_accents: config.strip_accents.unwrap_or(lower_case) };
        Ok(Reader::words(WordPiece::new(Cow::Owned(text), folding)?, max))
    }

    /// Returns the digest of all files that affect the vectors: the graph, the tokenizer, then those of the
    /// optional files that exist.
    pub(crate) fn digest(&self) -> Result<String> {
        let mut hash = Sha256::new();
        let mut files = vec![self.model.clone(), self.tokenizer.clone()];
        let settings = ["1_Pooling/config.json", "sentence_bert_config.json", "tokenizer_config.json"];
        let others = OUTSIDE.iter().map(|name| self.model.with_file_name(name));
        files.extend(others.chain(settings.map(|name| self.dir.join(name))).filter(|path| path.is_file()));
        for path in files {
            hash_file(&mut hash, &path).map_err(|source| Error::Io { path, source })?;
        }
        Ok(hex::encode(hash.finalize())[..16].to_owned())
    }

    /// Reads a configuration file; returns the defaults if it does not exist.
    fn config<T: DeserializeOwned + Default>(&self, name: &str) -> Result<T> {
        let path = self.dir.join(name);
        if !path.is_file() {
            return Ok(T::default());
        }
        serde_json::from_slice(&read(&path)?)
            .map_err(|why| Error::unreadable(path.display().to_string(), &why))
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|source| Error::Io { path: path.to_owned(), source })
}

fn hash_file(hash: &mut Sha256, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            length => hash.update(&buffer[..length]),
        }
    }
}
