//! The feature templates, and the hashes that stand for features.

/// Feature templates. A feature is the hash of its template and up to two arguments.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub(super) enum Of {
    Bias,
    Shape,
    Place,
    Around,
    Named,
    NamedShape,
    Class,
    ClassShape,
    ClassPlace,
    Joint,
    Mark,
    MarkClass,
    MarkShape,
    Situation,
    SituationTalk,
    SituationShape,
    Capital,
    Length,
    Clock,
    Code,
    Value,
    Runs,
    Classes,
    Changes,
    RunGram,
    Edges,
    Prefix,
    Part,
    PartTheme,
    Known,
    Quoted,
    LeftGap,
    RightGap,
    Gaps,
    Before,
    BeforeGap,
    Before2,
    Before3,
    BeforePair,
    After,
    AfterGap,
    AfterPair,
    Between,
    BagBefore,
    BagAcross,
    BagAbove,
    BagFar,
    BagAfter,
    BagBehind,
    BagBelow,
    InLine,
    LineLike,
    Key,
    KeyTheme,
    Label,
    LabelTheme,
    LabelClass,
    Lines,
    Likes,
    Bag,
    PageTheme,
    Times,
}

/// The features of a value, as hashes.
pub(super) struct Features {
    pub(super) keys: Vec<u32>,
    pub(super) group: u32,
}

impl Features {
    pub(super) fn put(&mut self, of: Of, a: u32, b: u32) {
        self.keys.push(key(of, a, b));
    }

    /// Adds a feature, and its conjunction with the group of the value's shape.
    pub(super) fn both(&mut self, of: Of, a: u32, b: u32) {
        self.put(of, a, b);
        self.keys.push(mix(key(of, a, b), self.group + 1));
    }
}

pub(super) fn key(of: Of, a: u32, b: u32) -> u32 {
    mix(mix(of as u32 + 1, a), b)
}

fn mix(a: u32, b: u32) -> u32 {
    let wide = (u64::from(a) << 32 | u64::from(b))
        .wrapping_add(0x9E37_79B9_7F4A_7C15)
        .wrapping_mul(0xD6E8_FEB8_6659_FD93);
    let wide = (wide ^ wide >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    #[allow(clippy::cast_possible_truncation, reason = "a hash")]
    {
        (wide >> 32) as u32
    }
}

pub(super) fn number(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}
