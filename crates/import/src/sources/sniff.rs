//! Looking at the beginning of a file, to recognise its format.

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::input::Input;
use crate::item::{Item, Place};
use crate::source::Sink;

/// Number of lines or elements that are looked at.
const LOOKED_AT: usize = 30;

/// Returns whether one of the first lines of a file is a JSON object that a test accepts.
pub(super) fn line(input: &Input, file: &str, is_it: impl Fn(&Map<String, Value>) -> bool) -> bool {
    let mut look = Look::default();
    // An error only ends the reading.
    let _ = input.for_json_lines(file, &mut Nowhere, &mut |_, line, _| look.at(is_it(&line)));
    look.is_found
}

/// Returns whether one of the first elements of a JSON file is an object that a test accepts.
pub(super) fn element(
    input: &Input,
    file: &str,
    fields: &[&str],
    is_it: impl Fn(&Map<String, Value>) -> bool,
) -> bool {
    let mut look = Look::default();
    let _ = input.for_json_items(file, fields, &mut Nowhere, &mut |_, value, _| {
        look.at(value.as_object().is_some_and(&is_it))
    });
    look.is_found
}

#[derive(Default)]
struct Look {
    is_found: bool,
    looked_at: usize,
}

impl Look {
    /// Ends the reading with an error once enough is known.
    fn at(&mut self, is_it: bool) -> Result<()> {
        self.is_found |= is_it;
        self.looked_at += 1;
        match self.is_found || self.looked_at >= LOOKED_AT {
            true => Err(Error::Refused(String::new())),
            false => Ok(()),
        }
    }
}

/// A sink that forgets everything.
pub(super) struct Nowhere;

impl Sink for Nowhere {
    fn item(&mut self, _: Item) -> Result<()> {
        Ok(())
    }

    fn skip_several(&mut self, _: Place, _: u64, _: &str) {}
}
