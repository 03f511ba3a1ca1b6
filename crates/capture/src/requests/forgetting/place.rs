//! A sentence with those around it.

use crate::page::Sentence;

/// A sentence in its message.
#[derive(Clone, Copy)]
pub(crate) struct Place<'m> {
    pub(crate) message: &'m str,
    pub(crate) sentences: &'m [Sentence],
    pub(crate) number: usize,
}

impl<'m> Place<'m> {
    pub(crate) fn sentence(&self) -> &'m Sentence {
        &self.sentences[self.number]
    }

    /// Returns the folded text of the sentence.
    pub(crate) fn text(&self) -> &'m str {
        self.sentence().text()
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.sentences.len() == 1
    }

    /// Returns the sentences before it.
    pub(crate) fn before(&self) -> &'m [Sentence] {
        &self.sentences[..self.number]
    }

    /// Returns the place of the sentence before it.
    pub(crate) fn previous(&self) -> Option<Place<'m>> {
        Some(Place { number: self.number.checked_sub(1)?, ..*self })
    }

    /// Returns the place of the sentence after it.
    pub(crate) fn next(&self) -> Option<Place<'m>> {
        let number = self.number + 1;
        (number < self.sentences.len()).then_some(Place { number, ..*self })
    }
}

/// Returns the number of words of a folded text.
pub(crate) fn word_count(text: &str) -> usize {
    text.split(' ').filter(|word| word.contains(char::is_alphanumeric)).count()
}
