//! Sentence embeddings: turns texts into vectors, so that recall can find a memory worded differently from
//! the query.
//!
//! The bundled model is all-MiniLM-L6-v2, a small transformer with int8 weights. It is part of the binary:
//! nothing is downloaded and no network is used. A directory with another ONNX sentence model can replace it.
//! The feature `tokenizers`, on by default, reads the tokenizer of such a model from its `tokenizer.json`; without
//! it, the model needs a `vocab.txt`.
//!
//! The bundled model knows English only: a text in one of eight other languages is glossed word by word into
//! English first ([`memtape_language::gloss`]).
//!
//! A text is split into tokens (at most [`PIECES_MAX`]) and run through the model without padding. The
//! model's outputs are averaged over the tokens and normalized to length 1, so the dot product of two vectors
//! is their cosine similarity.
//!
//! **Invariants.**
//! - A vector depends only on its text and the model. The model's int8 layers compute their scale from the
//!   whole input, so texts are never run in one batch; several texts run in parallel, one per core.
//! - Vectors may be compared if and only if the digests of their [`Identity`] are equal. On one kind of
//!   processor they are reproducible to the last bit.
//! - Any text is a valid input and takes bounded time.

mod counter;
#[cfg_attr(not(feature = "tokenizers"), path = "undescribed.rs")]
mod described;
mod embedder;
mod error;
mod folder;
mod graph;
mod pieces;
mod wordpiece;

pub use counter::Counter;
pub use embedder::{Begun, Embedder};
pub use error::{Error, Result};

/// The maximum number of tokens of a text, including the two that enclose it. The rest of a longer text is
/// ignored.
pub const PIECES_MAX: usize = 256;
/// The maximum number of characters of a text that are read: far more than [`PIECES_MAX`] tokens in any
/// script.
pub const CHARS_MAX: usize = 16_384;

/// The use for which a model is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loading {
    /// A few texts, such as a query: fastest to load.
    #[default]
    ForFew,
    /// Many texts. The weights are prepared at load time, which costs 11 MB and about 10 ms, and halves the
    /// time of a short text. The vectors are the same.
    ForMany,
}

/// The identity of the model that made a vector. Vectors may be compared only if the digests are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The display name: that of the bundled model, or the name of the model's directory.
    pub name: String,
    /// The first 16 hexadecimal digits of the SHA-256 over all files that affect the vectors.
    pub digest: String,
    /// The number of dimensions of a vector.
    pub dimensions: usize,
}

/// Returns the identity of the bundled model without loading it.
#[must_use]
pub fn built_in_identity() -> Identity {
    Identity { name: "all-MiniLM-L6-v2".to_owned(), digest: "e1a615e3de9bab87".to_owned(), dimensions: 384 }
}
