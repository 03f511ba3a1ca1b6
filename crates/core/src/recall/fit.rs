//! Fits an answer into its limits: folds near-duplicates, limits results and characters, and caps the user's
//! scope.
//!
//! **Invariant.** Every omitted match is counted, by the reason for its omission.

use std::collections::BTreeSet;

use crate::recall::tokenize;

/// Two texts are near-duplicates if they share this fraction of all their terms.
const SAME: f64 = 0.9;

/// The limits of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of results.
    pub results: usize,
    /// The maximum number of results in a user's scope; `None` for no limit.
    pub of_user: Option<usize>,
    /// The budget of characters; `None` for no limit.
    pub budget: Option<Budget>,
}

/// A budget of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum of all texts together.
    pub total: usize,
    /// The maximum counted for each text, which is cut there.
    pub each: usize,
}

/// The matches left out of an answer, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// They are near-duplicates of a result.
    pub folded: usize,
    /// They exceed the limit of the user's scope.
    pub of_user: usize,
    /// They do not fit into the budget of characters.
    pub over_budget: usize,
    /// They come after the last result.
    pub over_results: usize,
}

/// Collects texts, best first, as far as they fit.
pub struct Fitting {
    limits: Limits,
    kept: Vec<BTreeSet<String>>,
    of_user: usize,
    chars: usize,
    left: Left,
}

/// What became of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is a result.
    Kept,
    /// It is a near-duplicate of the n-th result.
    Same(usize),
    /// It does not fit, and is counted in [`Left`].
    Left,
}

impl Fitting {
    /// Creates an empty answer.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, kept: Vec::new(), of_user: 0, chars: 0, left: Left::default() }
    }

    /// Returns whether it takes no more results.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.kept.len() >= self.limits.results
    }

    /// Returns the omissions; `over_results` matches came after the last result.
    #[must_use]
    pub fn left(self, over_results: usize) -> Left {
        Left { over_results, ..self.left }
    }

    /// Adds a text if it fits. The answer must not be full.
    pub fn add(&mut self, text: &str, of_user: bool) -> Fit {
        let terms: BTreeSet<String> = tokenize::terms(text).into_iter().collect();
        if let Some(same) = self.kept.iter().position(|kept| say_the_same(kept, &terms)) {
            self.left.folded += 1;
            return Fit::Same(same);
        }
        if of_user && self.limits.of_user.is_some_and(|most| self.of_user >= most) {
            self.left.of_user += 1;
            return Fit::Left;
        }
        if let Some(Budget { total, each }) = self.limits.budget {
            let chars = text.chars().count().min(each);
            if self.chars + chars > total {
                self.left.over_budget += 1;
                return Fit::Left;
            }
            self.chars += chars;
        }
        self.of_user += usize::from(of_user);
        self.kept.push(terms);
        Fit::Kept
    }
}

/// Returns whether the shared terms of two texts are at least [`SAME`] of all their terms.
#[must_use]
pub fn say_the_same(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    #[allow(
        clippy::cast_precision_loss,
        reason = "texts have far fewer terms than floats have whole numbers"
    )]
    let share = common as f64 / all as f64;
    all > 0 && share >= SAME
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(limits: Limits, texts: &[(&str, bool)]) -> (Vec<Fit>, Left) {
        let mut fitting = Fitting::new(limits);
        let mut rest = texts.iter();
        let mut fits = Vec::new();
        while !fitting.is_full()
            && let Some((text, of_user)) = rest.next()
        {
            fits.push(fitting.add(text, *of_user));
        }
        (fits, fitting.left(rest.len()))
    }

    const ROOMY: Limits = Limits { results: 10, of_user: None, budget: None };

    #[test]
    fn what_says_the_same_is_folded_into_the_better_one() {
        let texts =
            [("Ana likes green tea.", false), ("ana likes GREEN tea", false), ("Ana likes tea", false)];
        let (fits, left) = fit(ROOMY, &texts);
        assert_eq!(fits, [Fit::Kept, Fit::Same(0), Fit::Kept]);
        assert_eq!(left, Left { folded: 1, ..Left::default() });
        // Texts without terms are not near-duplicates.
        assert_eq!(fit(ROOMY, &[("!", false), ("?", false)]).0, [Fit::Kept, Fit::Kept]);
    }

    #[test]
    fn what_does_not_fit_is_counted_by_why() {
        let limits = Limits { results: 2, of_user: Some(1), budget: Some(Budget { total: 12, each: 10 }) };
        let texts =
            [("one", true), ("two", true), ("eleven and twelve", false), ("four", false), ("five", false)];
        let (fits, left) = fit(limits, &texts);
        assert_eq!(fits, [Fit::Kept, Fit::Left, Fit::Left, Fit::Kept]);
        assert_eq!(left, Left { folded: 0, of_user: 1, over_budget: 1, over_results: 1 });
    }
}
