//! Fits an answer into its limits: folds near-duplicates, limits results and characters, and caps the user's
//! scope.
//!
//! **Invariant.** Every omitted match is counted, by the reason for its omission.

use std::cmp::Ordering;
use std::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;

use crate::recall::tokenize;
use crate::same;

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
    kept: Vec<TermSet>,
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

    /// Leaves out a text that belongs to one that does not fit.
    pub fn leave(&mut self, of_user: bool) -> Fit {
        match of_user && self.is_full_of_user() {
            true => self.left.of_user += 1,
            false => self.left.over_budget += 1,
        }
        Fit::Left
    }

    /// Returns whether it takes no more results of the user's scope.
    fn is_full_of_user(&self) -> bool {
        self.limits.of_user.is_some_and(|most| self.of_user >= most)
    }

    /// Adds a text if it fits. The answer must not be full.
    pub fn add(&mut self, text: &str, of_user: bool) -> Fit {
        let terms = TermSet::of(text);
        if let Some(same) = self.kept.iter().position(|kept| kept.says_the_same(&terms)) {
            self.left.folded += 1;
            return Fit::Same(same);
        }
        if of_user && self.is_full_of_user() {
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

/// The terms of a text, each once, as hashes in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermSet(Vec<u64>);

impl TermSet {
    /// Returns the terms of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let hash = |term: String| {
            let mut hasher = FxHasher::default();
            term.hash(&mut hasher);
            hasher.finish()
        };
        // To the index, `C++` and `C#` are one term.
        let folded = same::folded(text);
        let signed = same::signed_words(&folded).map(str::to_owned);
        let mut terms: Vec<u64> = tokenize::terms(text).into_iter().chain(signed).map(hash).collect();
        terms.sort_unstable();
        terms.dedup();
        Self(terms)
    }

    /// Returns whether the shared terms of two texts are at least nine tenths of all their terms.
    ///
    /// Texts that share few terms, as most do, are told apart by their first terms.
    #[must_use]
    pub fn says_the_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        let all = a.len() + b.len();
        // With c shared terms and d others, c ≥ 9/10 · (c + d) if and only if 19·d ≤ 2·c + d.
        let different_max = all / 19;
        let (mut m, mut n, mut different) = (0, 0, 0);
        while m < a.len() && n < b.len() && different <= different_max {
            match a[m].cmp(&b[n]) {
                Ordering::Less => (m, different) = (m + 1, different + 1),
                Ordering::Greater => (n, different) = (n + 1, different + 1),
                Ordering::Equal => (m, n) = (m + 1, n + 1),
            }
        }
        all > 0 && different + (a.len() - m) + (b.len() - n) <= different_max
    }
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
        let texts = [("Ana programs in C++", false), ("Ana programs in C#", false), ("Ana pays 20 $", false)];
        assert_eq!(fit(ROOMY, &texts).0, [Fit::Kept; 3]);
        // Texts without terms are not near-duplicates.
        assert_eq!(fit(ROOMY, &[("!", false), ("?", false)]).0, [Fit::Kept, Fit::Kept]);
    }

    #[test]
    fn texts_say_the_same_if_they_share_nine_tenths_of_their_terms() {
        let words = |from: usize, to: usize| (from..to).map(|n| format!("w{n} ")).collect::<String>();
        for (one, other, expected) in [
            (words(0, 19), words(0, 20), true),
            (words(0, 18), words(0, 20), true),
            (words(0, 17), words(0, 20), false),
            (words(0, 19), words(1, 20), true),
            (words(0, 18), words(2, 20), false),
            (words(0, 9), words(0, 10), true),
            (words(0, 8), words(0, 9), false),
            (words(0, 1), words(1, 2), false),
            (String::new(), String::new(), false),
        ] {
            assert_eq!(TermSet::of(&one).says_the_same(&TermSet::of(&other)), expected, "{one}/ {other}");
            assert_eq!(TermSet::of(&other).says_the_same(&TermSet::of(&one)), expected, "{other}/ {one}");
        }
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

    #[test]
    fn what_belongs_to_what_does_not_fit_is_counted_by_the_same_reason() {
        for (texts, of_user, expected) in [
            (["one", "two"], true, Left { of_user: 2, ..Left::default() }),
            (["one", "eleven and twelve"], false, Left { over_budget: 2, ..Left::default() }),
            (["eleven and twelve", "thirteen and more"], true, Left { over_budget: 3, ..Left::default() }),
        ] {
            let budget = Some(Budget { total: 12, each: 100 });
            let mut fitting = Fitting::new(Limits { results: 5, of_user: Some(1), budget });
            for text in texts {
                fitting.add(text, of_user);
            }
            assert_eq!(fitting.leave(of_user), Fit::Left);
            assert_eq!(fitting.left(0), expected, "{texts:?}");
        }
    }
}
