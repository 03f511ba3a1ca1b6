//! The hash chain, which makes changed, missing and swapped lines detectable.
//!
//! A line states two hashes. `prev` is the hash of the line before it. `hash` is its own and covers `prev`
//! and all other fields of the line:
//!
//! ```text
//! digest = SHA-256(salt ‖ payload ‖ LF ‖ meta)
//! hash   = SHA-256(prev ‖ LF ‖ id ‖ LF ‖ kind ‖ LF ‖ branch ‖ LF ‖ date ‖ LF ‖ more ‖ LF ‖ digest)
//! ```
//!
//! `payload` and `meta` are the literal bytes of the line; hashes and the salt are lower-case hex text. Any
//! line can therefore be checked without its neighbours, and `prev` states which line it was written after.
//! The text of a line can be erased later: the digest replaces the salt and the hash stays valid. Without the
//! salt the text cannot be guessed from the digest.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A SHA-256 hash: 32 bytes, written as 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The `prev` of the first entry: 64 zeros.
    pub const ZERO: Self = Self([0; 32]);

    /// Returns the hash of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the first 8 bytes of the hash.
    #[must_use]
    pub fn first_bytes(&self) -> [u8; 8] {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        [a, b, c, d, e, f, g, h]
    }

    /// Parses 64 lower-case hex digits; `None` for any other text.
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
    /// Creates a salt from bytes, which must come from an unpredictable source.
    #[must_use]
    pub fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Parses 32 lower-case hex digits; `None` for any other text.
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

/// Parses lower-case hex digits. Upper-case digits are refused: every value has exactly one spelling, so that
/// any flipped bit is detected.
fn parse_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    if text.bytes().any(|b| b.is_ascii_uppercase()) {
        return None;
    }
    hex::decode_to_slice(text, &mut bytes).ok()?;
    Some(bytes)
}

/// Returns the digest of an entry's text. The entry's hash covers it.
#[must_use]
pub fn digest(salt: &Salt, payload: &str, meta: &str) -> Hash {
    hash_of(&[&salt.to_string(), payload, "\n", meta])
}

/// Returns the digest of the text that replaces an erased one. The erasure event states it.
#[must_use]
pub fn replacement_digest(payload: &str, meta: &str) -> Hash {
    hash_of(&[payload, "\n", meta])
}

fn hash_of(parts: &[&str]) -> Hash {
    let mut sha = Sha256::new();
    parts.iter().for_each(|part| sha.update(part));
    Hash(sha.finalize().into())
}
