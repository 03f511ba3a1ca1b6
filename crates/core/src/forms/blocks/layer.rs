//! The layers of blocks: how often they change, and who changes them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The layer of a block. The numbers are document 3's, whose other layers are no blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u64")]
pub enum BlockLayer {
    /// Who the agent is: the owner's.
    Identity,
    /// What it has learnt of its owner and of its work.
    Semantic,
    /// What it is about now.
    Working,
}

impl BlockLayer {
    /// Every layer, the one that changes least first.
    pub const ALL: [Self; 3] = [Self::Identity, Self::Semantic, Self::Working];

    /// The layer of a number.
    ///
    /// # Errors
    /// [`Error::Invalid`] where there is none.
    pub fn new(number: u64) -> Result<Self> {
        Self::ALL.into_iter().find(|layer| u64::from(layer.number()) == number).ok_or_else(|| {
            Error::Invalid(format!(
                "there is no layer {number} of blocks: 2 is identity, 3 semantic, 4 working"
            ))
        })
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Identity => 2,
            Self::Semantic => 3,
            Self::Working => 4,
        }
    }

    /// Its name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Semantic => "semantic",
            Self::Working => "working",
        }
    }
}

impl From<BlockLayer> for u8 {
    fn from(layer: BlockLayer) -> Self {
        layer.number()
    }
}

impl TryFrom<u64> for BlockLayer {
    type Error = Error;

    fn try_from(number: u64) -> Result<Self> {
        Self::new(number)
    }
}

impl fmt::Display for BlockLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.number(), self.as_str())
    }
}
