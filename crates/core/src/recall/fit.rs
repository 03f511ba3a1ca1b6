//! Fitting an answer into its limits: near-duplicates folded, results and characters counted, the user's layer capped.
//!
//! **Invariant.** What does not fit is counted, by why it does not.

use std::collections::BTreeSet;

use crate::recall::tokenize;

/// Two texts whose terms overlap by this share of all their terms say the same.
const SAME: f64 = 0.9;

/// How large an answer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// At most so many results.
    pub results: usize,
    /// At most so many of a user's scope; any number without.
    pub of_user: Option<usize>,
    /// At most so many characters; any number without.
    pub budget: Option<Budget>,
}

/// A budget of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// In all.
    pub total: usize,
    /// Of each text, of which the rest is cut off.
    pub each: usize,
}

/// What was left out of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Said the same as another one, which names them.
    pub folded: usize,
    /// More of the user's scope than an answer takes.
    pub of_user: usize,
    /// Did not fit into the characters.
    pub over_budget: usize,
    /// Came after the last result.
    pub over_results: usize,
}

/// Takes texts, best first, as far as they fit.
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
    /// It says the same as the n-th result.
    Same(usize),
    /// There is no room for it.
    Left,
}

impl Fitting {
    /// An empty answer.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, kept: Vec::new(), of_user: 0, chars: 0, left: Left::default() }
    }

    /// Whether no more results are taken.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.kept.len() >= self.limits.results
    }

    /// What was left out, when so many came after the last.
    #[must_use]
    pub fn left(self, over_results: usize) -> Left {
        Left { over_results, ..self.left }
    }

    /// Takes a text, if it fits into an answer that is not full.
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

/// Whether two texts have nearly the same terms: the share of those in both among those in either.
fn say_the_same(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
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
        // Texts without a term are not all the same.
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
