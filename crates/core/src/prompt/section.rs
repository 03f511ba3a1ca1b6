//! The sections of a prompt: their order, shares of the budget and floors, in one table.

/// A section of a prompt, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    /// Audience, day and rules.
    Contract,
    /// The blocks of layer 2.
    Identity,
    /// The blocks of layer 3.
    Semantic,
    /// The blocks of layer 4.
    Working,
    /// The available tools.
    Tools,
    /// The available skills.
    Skills,
    /// The zone: long-term memory, and the notes of the last days.
    Memory,
    /// The facts of the branch's persona.
    Ledger,
    /// The index of notes.
    Notes,
    /// The messages since the last anchor.
    Conversation,
    /// The last journal lines.
    Journal,
    /// The memories recalled for the trigger.
    Recalled,
    /// The message or event that the model answers.
    Trigger,
}

/// The fixed properties of a section.
struct Rule {
    name: &'static str,
    share: usize,
    floor: usize,
}

impl Section {
    /// Every section, in order.
    pub const ALL: [Self; 13] = [
        Self::Contract,
        Self::Identity,
        Self::Semantic,
        Self::Working,
        Self::Tools,
        Self::Skills,
        Self::Memory,
        Self::Ledger,
        Self::Notes,
        Self::Conversation,
        Self::Journal,
        Self::Recalled,
        Self::Trigger,
    ];

    fn rule(self) -> Rule {
        let (name, share, floor) = match self {
            // Contract and trigger are never cut: their floor is their need.
            Self::Contract => ("contract", 1, usize::MAX),
            Self::Identity => ("identity", 12, 200),
            Self::Semantic => ("semantic", 14, 100),
            Self::Working => ("working", 14, 100),
            Self::Tools => ("tools", 4, 60),
            Self::Skills => ("skills", 2, 40),
            Self::Memory => ("memory", 8, 100),
            Self::Ledger => ("ledger", 5, 60),
            Self::Notes => ("notes", 5, 60),
            Self::Conversation => ("conversation", 20, 120),
            Self::Journal => ("journal", 8, 80),
            Self::Recalled => ("recalled", 4, 80),
            Self::Trigger => ("trigger", 3, usize::MAX),
        };
        Rule { name, share, floor }
    }

    /// Returns its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.rule().name
    }

    /// Returns its share of the budget, in percent.
    #[must_use]
    pub fn share(self) -> usize {
        self.rule().share
    }

    /// Returns its guaranteed tokens, or its need if that is less; [`usize::MAX`] if it is never cut.
    #[must_use]
    pub fn floor(self) -> usize {
        self.rule().floor
    }

    /// Returns whether it belongs to the system part; the other sections are messages.
    #[must_use]
    pub fn is_system(self) -> bool {
        self < Self::Notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_the_whole() {
        assert_eq!(Section::ALL.iter().map(|section| section.share()).sum::<usize>(), 100);
        assert!(Section::ALL.is_sorted());
    }
}
