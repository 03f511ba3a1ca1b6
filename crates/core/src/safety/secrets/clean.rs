//! Remembers texts without a secret. The same ones are searched again and again: names of fields and conversations,
//! roles, and a message that each check on its way to the tape sees.

use std::cell::RefCell;
use std::collections::VecDeque;

use rustc_hash::FxHashSet;

/// Maximum length of a short text, in bytes.
const SHORT: usize = 40;
/// Maximum number of short texts that are remembered.
const SHORT_MAX: usize = 1024;
/// Maximum length of a long text that is remembered, in bytes.
const LONG: usize = 16 * 1024;
/// Number of long texts that are remembered: the most recent ones.
const LONG_MAX: usize = 8;

/// Texts without a secret.
#[derive(Default)]
pub(super) struct Clean {
    short: FxHashSet<String>,
    long: VecDeque<String>,
}

thread_local! {
    /// Clean texts.
    pub(super) static TEXTS: RefCell<Clean> = RefCell::default();
    /// Clean names, which are searched with a higher threshold.
    pub(super) static NAMES: RefCell<Clean> = RefCell::default();
}

impl Clean {
    pub(super) fn has(&self, text: &str) -> bool {
        if text.len() <= SHORT {
            self.short.contains(text)
        } else {
            self.long.iter().any(|known| known == text)
        }
    }

    pub(super) fn add(&mut self, text: &str) {
        if text.len() <= SHORT {
            if self.short.len() >= SHORT_MAX {
                self.short.clear();
            }
            self.short.insert(text.to_owned());
        } else if text.len() <= LONG {
            self.long.truncate(LONG_MAX - 1);
            self.long.push_front(text.to_owned());
        }
    }
}
