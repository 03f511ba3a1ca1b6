//! Purpose: turns texts into sentence vectors, so that what was said in other words can be found.
//!
//! The model is a small transformer, all-MiniLM-L6-v2 with int8 weights, and lies inside the program: nothing is
//! fetched and no network is asked. A folder with another ONNX sentence model can take its place.
//!
//! A text is cut into pieces ([`PIECES_MAX`] at most), run through the model without padding, averaged over its
//! pieces and brought to length 1; the dot product of two vectors is then their cosine.
//!
//! **Invariant:** a vector depends on its own text and the model alone. The model's int8 layers take their scale
//! from all that is run at once, so texts are never run together: many texts are run side by side, one to a core.
//! **Invariant:** vectors of models whose [`Identity`] has the same digest may be compared, on one kind of
//! processor to the last bit; no others may.
//! **Invariant:** any text is safe, and takes a bounded time.

mod counter;
mod embedder;
mod error;
mod folder;
mod graph;
mod pieces;
mod wordpiece;

pub use counter::Counter;
pub use embedder::Embedder;
pub use error::{Error, Result};
pub use folder::folder_digest;

/// The most pieces of a text that are read, with the two that enclose it; the rest of a longer text is not seen.
pub const PIECES_MAX: usize = 256;
/// The most characters of a text that are looked at: far more than [`PIECES_MAX`] pieces of any writing.
pub const CHARS_MAX: usize = 16_384;

/// What a model is loaded for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loading {
    /// A question or two: it is ready in the least time.
    #[default]
    ForFew,
    /// Many texts: weights are laid out for running, which costs 11 MB and some 10 ms, and halves the time of a short
    /// text. The vectors are the same.
    ForMany,
}

/// Which model made a vector. Vectors may be compared only where the digests are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// What people call it: the built-in model's name, or that of its folder.
    pub name: String,
    /// The first 16 hexadecimal digits of the SHA-256 of all that shapes its vectors.
    pub digest: String,
    /// How many numbers a vector has.
    pub dimensions: usize,
}

/// The identity of the built-in model, without loading it.
#[must_use]
pub fn built_in_identity() -> Identity {
    Identity { name: "all-MiniLM-L6-v2".to_owned(), digest: "e449df8a53aa21b9".to_owned(), dimensions: 384 }
}
