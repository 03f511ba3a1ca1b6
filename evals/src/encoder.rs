//! The bundled sentence model, as capture and the gate use it.

use std::ops::Range;
use std::sync::LazyLock;

use memtape_capture::Encoder;
use memtape_embed::{Embedder, Loading};

static MODEL: LazyLock<Embedder> =
    LazyLock::new(|| Embedder::built_in(Loading::ForMany).expect("the bundled model can be loaded"));

/// The bundled model, loaded once.
pub(crate) struct Bundled;

impl Encoder for Bundled {
    fn states(&self, text: &str, parts: &[Range<usize>]) -> Vec<Vec<f32>> {
        MODEL.states(text, parts).expect("the bundled model reads any text")
    }
}
