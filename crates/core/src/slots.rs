//! The slots of a memory: the one that its whole audience sees, and the confidential one.
//!
//! The names of the two differ in nothing else, and each may have a current memory. A command writes to one of
//! them:
//!
//! - What is stated as confidential goes to the confidential slot, and also supersedes what is in the visible one:
//!   no other version stays visible.
//! - Anything else goes to the visible slot, unless the confidential one has a current memory and the author may
//!   see it. It then stays confidential.
//!
//! **Invariant.** Those who may not see confidential memories write as if there were none.

use crate::audience::Sensitivity;

/// The keys of the slots of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// The key of a memory that is not confidential.
    pub visible: String,
    /// The key of a confidential memory.
    pub confidential: String,
}

impl Slots {
    /// Returns the slots, given the key for a sensitivity.
    #[must_use]
    pub fn of(key: impl Fn(Sensitivity) -> String) -> Self {
        Self { visible: key(Sensitivity::Normal), confidential: key(Sensitivity::Confidential) }
    }

    /// Returns the keys that an author must read to write a memory that is stated with a sensitivity: the confidential
    /// one only if the author sees confidential memories, or is to supersede one unseen.
    pub fn read(&self, stated: Sensitivity, sees_confidential: bool) -> impl Iterator<Item = &str> {
        let is_read = sees_confidential || stated == Sensitivity::Confidential;
        [Some(&self.visible), is_read.then_some(&self.confidential)].into_iter().flatten().map(String::as_str)
    }

    /// Returns the keys whose memories a new one supersedes. The first one is the slot that gets it.
    ///
    /// `is_current` returns whether a slot has a current memory that the author knows.
    pub fn written(&self, stated: Sensitivity, is_current: impl Fn(&str) -> bool) -> Vec<&str> {
        match stated {
            Sensitivity::Confidential => vec![&self.confidential, &self.visible],
            _ if is_current(&self.confidential) => vec![&self.confidential],
            _ => vec![&self.visible],
        }
    }
}
