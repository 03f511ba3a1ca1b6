//! Reading the elements of a JSON list one by one, so that a file may be larger than the memory.

use std::cell::Cell;
use std::fmt;
use std::io::{self, Read};

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::elements::{Elements, is_too_long, why_invalid};
use super::lines::cause;
use super::{Input, skip_file};
use crate::error::{Error, Result};
use crate::item::Place;
use crate::sink::Sink;

/// Takes an element with its number, from 1.
type Each<'e> = &'e mut dyn FnMut(u64, Value, &mut dyn Sink) -> Result<()>;

impl Input {
    /// Calls `each` with every element of the list in a JSON file: the list that is the whole document, or the lists in
    /// the fields of this name if the document is an object. An object without such a field is passed as the only
    /// element.
    ///
    /// An element that is too long or not JSON is reported to the sink. If the file cannot be read to its end, so is the
    /// rest.
    ///
    /// # Errors
    /// Every error that `each` returns, unchanged. What cannot be read is none: the sink gets it.
    pub fn for_json_items(
        &self,
        path: &str,
        fields: &[&str],
        sink: &mut dyn Sink,
        each: Each<'_>,
    ) -> Result<()> {
        self.for_json(path, fields, true, sink, each)
    }

    /// Calls `each` as [`Input::for_json_items`] does, but passes over a document that has no such list.
    ///
    /// # Errors
    /// As [`Input::for_json_items`].
    pub fn for_json_lists(
        &self,
        path: &str,
        fields: &[&str],
        sink: &mut dyn Sink,
        each: Each<'_>,
    ) -> Result<()> {
        self.for_json(path, fields, false, sink, each)
    }

    fn for_json(
        &self,
        path: &str,
        fields: &[&str],
        takes_whole: bool,
        sink: &mut dyn Sink,
        each: Each<'_>,
    ) -> Result<()> {
        let reader = match self.reader(path) {
            Ok(reader) => reader,
            Err(e) => {
                skip_file(path, &e, sink);
                return Ok(());
            }
        };
        // Between two elements there is as much as in one.
        let limit = self.limits.line_bytes;
        let most = limit.saturating_mul(2);
        let left = Cell::new(most);
        let elements = Elements::new(reader, limit);
        let read_to = elements.read_to();
        let bounded = Bounded { reader: elements, left: &left, input: self };
        let mut walk = Walk { path, left: &left, limit, most, number: 0, failed: None, sink, each };
        let mut json = serde_json::Deserializer::from_reader(bounded);
        let read =
            json.deserialize_any(Document { walk: &mut walk, fields, takes_whole }).and_then(|()| json.end());
        let Walk { failed, number, sink, .. } = walk;
        match (failed, read) {
            (Some(failed), _) => Err(failed),
            (None, Ok(())) => Ok(()),
            (None, Err(e)) => {
                let why = match number {
                    0 => format!("it is not JSON of the expected shape: {}", cause(&e)),
                    n => {
                        let bytes = self.bytes_of(&[path.to_owned()]);
                        let rest = bytes.saturating_sub(read_to.get());
                        format!(
                            "it cannot be read after element {n}, {rest} bytes before its end: {}",
                            cause(&e)
                        )
                    }
                };
                sink.unreadable(Place::file(path), &why);
                Ok(())
            }
        }
    }
}

/// A reader that fails when there is too much between two elements.
struct Bounded<'b, R> {
    reader: R,
    left: &'b Cell<usize>,
    input: &'b Input,
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.input.count(read as u64);
        match self.left.get().checked_sub(read) {
            Some(left) => self.left.set(left),
            None => return Err(io::Error::other("there is too much outside of its elements")),
        }
        Ok(read)
    }
}

/// The state of reading.
struct Walk<'w> {
    path: &'w str,
    /// Number of bytes that may be read before the next element ends.
    left: &'w Cell<usize>,
    /// Maximum length of an element.
    limit: usize,
    most: usize,
    number: u64,
    /// The error of `each`, which ends the import.
    failed: Option<Error>,
    sink: &'w mut dyn Sink,
    each: Each<'w>,
}

impl Walk<'_> {
    fn take(&mut self, value: Value) -> Result<(), ()> {
        self.number += 1;
        self.left.set(self.most);
        if is_too_long(&value) {
            let why = format!("it is longer than {} bytes", self.limit);
            self.sink.unreadable(Place::line(self.path, self.number), &why);
            return Ok(());
        }
        if let Some(why) = why_invalid(&value) {
            self.sink.unreadable(Place::line(self.path, self.number), &format!("it is not JSON: {why}"));
            return Ok(());
        }
        (self.each)(self.number, value, self.sink).map_err(|e| self.failed = Some(e))
    }
}

/// The whole document.
struct Document<'d, 'w> {
    walk: &'d mut Walk<'w>,
    fields: &'d [&'d str],
    /// Whether a document without such a field is an element.
    takes_whole: bool,
}

impl<'de> Visitor<'de> for Document<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        elements(self.walk, list)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut rest = serde_json::Map::new();
        let mut is_found = false;
        while let Some(name) = map.next_key::<String>()? {
            if self.fields.contains(&name.as_str()) {
                is_found = true;
                map.next_value_seed(List { walk: self.walk })?;
            } else if is_found || !self.takes_whole {
                map.next_value_seed(Passed { walk: self.walk })?;
                self.walk.left.set(self.walk.most);
            } else {
                rest.insert(name, map.next_value()?);
            }
        }
        if is_found || !self.takes_whole {
            return Ok(());
        }
        self.walk.take(Value::Object(rest)).map_err(|()| serde::de::Error::custom("stopped"))
    }
}

/// A list of elements.
struct List<'l, 'w> {
    walk: &'l mut Walk<'w>,
}

impl<'de> DeserializeSeed<'de> for List<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        elements(self.walk, list)
    }
}

/// A field that is passed over, element by element if it is a list.
struct Passed<'p, 'w> {
    walk: &'p mut Walk<'w>,
}

impl<'de> DeserializeSeed<'de> for Passed<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Passed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {
            self.walk.left.set(self.walk.most);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        IgnoredAny.visit_map(map).map(|IgnoredAny| ())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

fn elements<'de, A: SeqAccess<'de>>(walk: &mut Walk<'_>, mut list: A) -> Result<(), A::Error> {
    while let Some(value) = list.next_element()? {
        walk.take(value).map_err(|()| serde::de::Error::custom("stopped"))?;
    }
    Ok(())
}
