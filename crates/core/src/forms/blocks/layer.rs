//! The layers of blocks, which differ in how often they change and who changes them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The layer of a block, with the numbers of document 3. The other layers of document 3 have no blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u64")]
pub enum BlockLayer {
    /// The identity of the agent. Only the owner changes it.
    Identity,
    /// The agent's knowledge of its owner and its work.
    Semantic,
    /// The agent's current work.
    Working,
}

impl BlockLayer {
    /// Every layer, the least frequently changed first.
    pub const ALL: [Self; 3] = [Self::Identity, Self::Semantic, Self::Working];

    /// Returns the layer with this number.
    ///
    /// # Errors
    /// [`Error::Invalid`] if no layer has this number.
    pub fn new(number: u64) -> Result<Self> {
        Self::ALL.into_iter().find(|layer| u64::from(layer.number()) == number).ok_or_else(|| {
            Error::Invalid(format!(
                "unknown block layer {number}: expected 2 (identity), 3 (semantic) or 4 (working)"
            ))
        })
    }

    /// Returns its number.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Identity => 2,
            Self::Semantic => 3,
            Self::Working => 4,
        }
    }

    /// Returns its name.
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
