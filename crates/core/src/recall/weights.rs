//! How much each part of a score counts, by form.
//!
//! `score = relevance·how well it fits + importance·how much it matters + recency·how new it is`, each part from 0
//! to 1. Messages hardly lose by age: what was said long ago is asked for as often.

use crate::memory::Form;

/// How much each part of a score counts. Weights that add up to 1 give scores from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// How much it counts that a memory fits the question.
    pub relevance: f64,
    /// How much it counts that a memory matters.
    pub importance: f64,
    /// How much it counts that a memory is new.
    pub recency: f64,
}

impl Weights {
    /// A form's weights, unless told otherwise.
    #[must_use]
    pub fn of(form: Form) -> Self {
        match form {
            Form::Messages => Self { relevance: 0.79, importance: 0.20, recency: 0.01 },
            Form::Blocks | Form::Files | Form::Ledger | Form::Notes | Form::Statements | Form::Zone => {
                Self { relevance: 0.65, importance: 0.20, recency: 0.15 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_each_form_add_up_to_1() {
        for form in Form::ALL {
            let Weights { relevance, importance, recency } = Weights::of(form);
            assert!((relevance + importance + recency - 1.0).abs() < 1e-9, "{form}");
        }
    }
}
