//! Identifies the language of a text, and glosses its words in English.
//!
//! The bundled sentence model knows English only. A text in another language is glossed word by word before it is
//! embedded ([`gloss`]), and so is the question. A gloss has no grammar, but its words are those that the model knows:
//! "ich wohne in einer kleinen Wohnung" becomes "I live in small apartment". The stored text is not changed.

pub mod fold;
mod gloss;
pub mod han;
mod identify;
pub mod kana;
mod lexicon;

pub use gloss::{Glosser, gloss};
pub use identify::{likely, of_letters};
pub use lexicon::is_ordinary;

/// A language that can be identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// Spanish.
    Spanish,
    /// French.
    French,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Russian, or another language in Cyrillic letters.
    Russian,
    /// Chinese, written in simplified or traditional characters.
    Chinese,
    /// Japanese.
    Japanese,
}
