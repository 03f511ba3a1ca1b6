//! The block names that document 3 defines, each with a fixed layer.

use super::layer::BlockLayer;
use super::name::BlockName;

/// The list that a computed block contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// The files of `insights/`, newest first.
    Insights,
    /// The projects of `research/`, most recently changed first.
    Research,
}

/// A name that document 3 defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The name.
    pub name: &'static str,
    /// Its layer.
    pub layer: BlockLayer,
    /// The list it is computed from; `None` if the block can be set.
    pub index: Option<Index>,
}

const fn set(name: &'static str, layer: BlockLayer) -> Known {
    Known { name, layer, index: None }
}

const fn computed(name: &'static str, index: Index) -> Known {
    Known { name, layer: BlockLayer::Working, index: Some(index) }
}

/// Every defined name, by layer.
pub const KNOWN: [Known; 11] = [
    set("persona", BlockLayer::Identity),
    set("values", BlockLayer::Identity),
    set("communication_style", BlockLayer::Identity),
    set("owner_context", BlockLayer::Semantic),
    set("patterns", BlockLayer::Semantic),
    set("limitations", BlockLayer::Semantic),
    set("current_focus", BlockLayer::Working),
    set("goals", BlockLayer::Working),
    set("schedule", BlockLayer::Working),
    computed("recent_insights", Index::Insights),
    computed("recent_research", Index::Research),
];

/// Returns the definition of a name; `None` if document 3 does not define it.
#[must_use]
pub fn find(name: &BlockName) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name.as_str())
}

/// Returns the list that a computed block contains; `None` if the block is not computed.
#[must_use]
pub fn index_of(name: &BlockName) -> Option<Index> {
    find(name).and_then(|known| known.index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_name_is_valid_and_unique() {
        for known in &KNOWN {
            let name = BlockName::new(known.name).unwrap();
            assert_eq!(find(&name), Some(known));
        }
        assert!(KNOWN.iter().filter(|known| known.index.is_some()).all(|k| k.layer == BlockLayer::Working));
    }
}
