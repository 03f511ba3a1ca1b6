//! The sections of a prompt: their order, their shares of the budget, and their floors. This table is their one place.

/// A section of a prompt, in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    /// Whom the memory is for, the day, the rules.
    Contract,
    /// The blocks of layer 2.
    Identity,
    /// The blocks of layer 3.
    Semantic,
    /// The blocks of layer 4.
    Working,
    /// The tools there are.
    Tools,
    /// The skills there are.
    Skills,
    /// The zone: long-term memory, and the notes of the last days.
    Memory,
    /// What the branch's persona knows.
    Ledger,
    /// Which notes there are.
    Notes,
    /// What was said since the last anchor.
    Conversation,
    /// What happened to the agent.
    Journal,
    /// What was found for the trigger.
    Recalled,
    /// What the model is to answer.
    Trigger,
}

/// What of a prompt is known of a section before its material.
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
            // Contract and trigger are never cut: what they need is their floor.
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

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.rule().name
    }

    /// Its share of the budget, in percent.
    #[must_use]
    pub fn share(self) -> usize {
        self.rule().share
    }

    /// How many tokens it is left in any case, or what it needs, where that is less. [`usize::MAX`] where it is never cut.
    #[must_use]
    pub fn floor(self) -> usize {
        self.rule().floor
    }

    /// Whether it is a part of the system part; else it is messages.
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
