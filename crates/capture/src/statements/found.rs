//! A statement that was found in a message.

use std::ops::Range;

/// A statement: clauses `first` to `last` of the message.
pub(super) struct Found {
    pub(super) first: usize,
    pub(super) last: usize,
    /// The part of the last clause's sentence, if it is not whole clauses.
    pub(super) part: Option<(usize, Range<usize>)>,
    /// The last clause of a sentence after it that belongs to it.
    pub(super) sequel: Option<usize>,
    pub(super) category: usize,
    pub(super) confidence: f64,
    pub(super) asked: bool,
    /// Whether its end is said again, differently.
    pub(super) is_corrected: bool,
    /// Whether words before it announce that it corrects what was said before.
    pub(super) corrects: bool,
}
