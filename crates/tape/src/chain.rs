//! The hash chain: what makes a changed, lost or exchanged line visible.
//!
//! `digest = SHA-256(salt ‖ payload ‖ "\n" ‖ meta)` over the literal bytes of the line, and
//! `hash = SHA-256(previous ‖ "\n" ‖ id ‖ "\n" ‖ kind ‖ "\n" ‖ branch ‖ "\n" ‖ date ‖ "\n" ‖ more ‖ "\n" ‖ digest)`,
//! all hashes and the salt as lower-case hex text. The text can so be erased later and the chain still holds:
//! the digest stays, and without the salt nothing can be guessed back from it.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A SHA-256 hash: 32 bytes, written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

impl Hash {
    /// What stands for "the previous hash" before the first entry: 64 zeros.
    pub const ZERO: Self = Self([0; 32]);

    /// The hash of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Its first 8 bytes.
    #[must_use]
    pub fn first_bytes(&self) -> [u8; 8] {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        [a, b, c, d, e, f, g, h]
    }

    /// Reads 64 lower-case hex digits; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        parse_hex(text).map(Self)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("a hash has 64 lower-case hex digits"))
    }
}

/// 128 random bits of an entry, written as 32 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Salt([u8; 16]);

impl Salt {
    /// A salt of these bytes. They must come from a source nobody can guess.
    #[must_use]
    pub fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Reads 32 lower-case hex digits; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        parse_hex(text).map(Self)
    }
}

impl fmt::Display for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Upper-case digits are refused: one value has one spelling, so no flipped bit goes unseen.
fn parse_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.bytes().any(|b| b.is_ascii_uppercase()) {
        return None;
    }
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}

/// The digest of an entry's text.
#[must_use]
pub fn digest(salt: &Salt, payload: &str, meta: &str) -> Hash {
    let mut sha = Sha256::new();
    sha.update(salt.to_string());
    sha.update(payload);
    sha.update(b"\n");
    sha.update(meta);
    Hash(sha.finalize().into())
}

/// The digest of what stands in an erased line instead of its text: an erasure vouches for it.
#[must_use]
pub fn standing(payload: &str, meta: &str) -> Hash {
    let mut sha = Sha256::new();
    sha.update(payload);
    sha.update(b"\n");
    sha.update(meta);
    Hash(sha.finalize().into())
}

/// The part of a line's hash that does not depend on the entry before: `id`, kind, branch, date, more and
/// digest, joined by newlines.
#[must_use]
pub fn sealed(id: u64, kind: &str, branch: &str, date: &str, more: u32, digest: &Hash) -> String {
    format!("{id}\n{kind}\n{branch}\n{date}\n{more}\n{digest}")
}

/// The hash of a line: the previous line's hash, a newline, and what [`sealed`] gives.
#[must_use]
pub fn link(previous: &Hash, sealed: &str) -> Hash {
    let mut sha = Sha256::new();
    sha.update(previous.to_string());
    sha.update(b"\n");
    sha.update(sealed);
    Hash(sha.finalize().into())
}
