//! Stands for `described` in a program that is built without the feature `tokenizers`.

use crate::error::{Error, Result};

/// A tokenizer that cannot be created.
pub(crate) enum Described {}

impl Described {
    pub(crate) fn new(_json: &[u8], _max: Option<usize>) -> Result<Self> {
        let why = "this program was built without the feature `tokenizers`; use a model with a vocab.txt";
        Err(Error::unreadable("tokenizer.json", why))
    }

    pub(crate) fn read(&self, _text: &str, _special: bool) -> Result<Vec<u32>> {
        match *self {}
    }
}
