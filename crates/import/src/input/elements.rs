//! Bounds the elements of a JSON document before they are parsed, without holding more of one than the limit.
//!
//! An element is a value in the list that is the document, in a list that is a field of the document, or of any other
//! field of the document. One that is too long is replaced by [`TOO_LONG`]. One that is not JSON is mended
//! ([`lenient_json::mended`]) or, if that does not help, replaced by [`INVALID`], so that it costs no other element.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::mem;
use std::rc::Rc;

use memtape::lenient_json;
use serde_json::{Value, json};

use super::lines::cause;

/// What replaces an element that is too long. No program writes such a name.
const TOO_LONG: &[u8] = br#"{"\u0000 too long":0}"#;
/// The name in [`TOO_LONG`].
const MARK: &str = "\0 too long";
/// The name in the object that replaces an element that is not JSON; its value is the reason.
const INVALID: &str = "\0 invalid";

/// Returns whether a value replaces one that is too long, or has it in a field.
pub(super) fn is_too_long(value: &Value) -> bool {
    let Value::Object(fields) = value else { return false };
    fields.contains_key(MARK) || fields.values().any(|field| field.get(MARK).is_some())
}

/// Returns why a value that replaces another one, or a field that does, is not JSON; `None` if there is none.
pub(super) fn why_invalid(value: &Value) -> Option<&str> {
    let Value::Object(fields) = value else { return None };
    let replaced = fields.get(INVALID).or_else(|| fields.values().find_map(|field| field.get(INVALID)));
    replaced?.as_str()
}

/// Returns what takes the place of an element that is not JSON; `None` if it is.
fn replaced(element: &[u8]) -> Option<Vec<u8>> {
    let Err(e) = serde_json::from_slice::<Value>(element) else { return None };
    let mended = lenient_json::mended(element);
    let mended = mended.filter(|mended| serde_json::from_slice::<Value>(mended).is_ok());
    Some(mended.unwrap_or_else(|| json!({INVALID: cause(&e)}).to_string().into_bytes()))
}

/// Where the reader is in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Outside of the document.
    Outside,
    /// In a list of elements; `true` if it is a field of the document.
    List(bool),
    /// In the document, before the name of a field.
    Name,
    /// In the document, after the name of a field.
    Value,
}

/// An element that is being read.
#[derive(Default)]
struct Element {
    /// Number of lists and objects that are open in it.
    open: usize,
    /// Whether it is a number or a word.
    is_bare: bool,
    is_too_long: bool,
}

/// A reader of a JSON document whose elements are not longer than a limit.
pub(super) struct Elements<R> {
    reader: R,
    limit: usize,
    at: At,
    element: Option<Element>,
    in_string: bool,
    is_escaped: bool,
    /// What was read of the element.
    held: Vec<u8>,
    /// What can be passed on, from `begin`.
    ready: Vec<u8>,
    begin: usize,
    /// Number of bytes that were taken from the reader, and that were passed on.
    taken: u64,
    passed: u64,
    /// Where elements that were not passed on yet end: in what is passed on, and in the document.
    ends: VecDeque<(u64, u64)>,
    /// Where the last element that was passed on ends in the document.
    read_to: Rc<Cell<u64>>,
}

impl<R: BufRead> Elements<R> {
    pub(super) fn new(reader: R, limit: usize) -> Self {
        Self {
            reader,
            limit,
            at: At::Outside,
            element: None,
            in_string: false,
            is_escaped: false,
            held: Vec::new(),
            ready: Vec::new(),
            begin: 0,
            taken: 0,
            passed: 0,
            ends: VecDeque::new(),
            read_to: Rc::default(),
        }
    }

    /// Returns the number of bytes of the document up to the end of the last element that was passed on.
    pub(super) fn read_to(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.read_to)
    }

    /// Takes the next byte of the document.
    fn take(&mut self, byte: u8) {
        self.taken += 1;
        let was_in_string = self.in_string;
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' => self.is_escaped = self.in_string,
            b'"' => self.in_string = !self.in_string,
            _ => {}
        }
        match self.element.take() {
            Some(element) => self.in_element(element, byte, was_in_string),
            None if was_in_string => self.ready.push(byte),
            None => self.between(byte),
        }
    }

    /// Takes a byte of an element, or the one after a number or a word.
    fn in_element(&mut self, mut element: Element, byte: u8, was_in_string: bool) {
        if element.is_bare && (byte.is_ascii_whitespace() || matches!(byte, b',' | b']' | b'}')) {
            self.end(&element);
            return self.between(byte);
        }
        match byte {
            _ if was_in_string => {}
            b'[' | b'{' => element.open += 1,
            b']' | b'}' => element.open = element.open.saturating_sub(1),
            _ => {}
        }
        match self.held.len() < self.limit {
            true => self.held.push(byte),
            false => element.is_too_long = true,
        }
        match element.open == 0 && !element.is_bare && !self.in_string {
            true => self.end(&element),
            false => self.element = Some(element),
        }
    }

    /// Takes a byte that is outside of the elements.
    fn between(&mut self, byte: u8) {
        let next = match (self.at, byte) {
            (at, byte) if byte.is_ascii_whitespace() => at,
            // Nothing that ends an element begins one. The parser refuses the brace.
            (at @ At::List(_), b',' | b'}') => at,
            // A byte order mark.
            (At::Outside, b'\xef' | b'\xbb' | b'\xbf') => return,
            (At::Outside, b'[') => At::List(false),
            (At::Outside, b'{') | (At::List(true), b']') => At::Name,
            (At::List(false), b']') | (At::Name, b'}') | (At::Outside, _) => At::Outside,
            (At::Name, b':') => At::Value,
            (At::Name, _) => At::Name,
            (At::Value, b'[') => At::List(true),
            (at, _) => {
                let is_bare = !matches!(byte, b'"' | b'[' | b'{');
                self.at = if at == At::Value { At::Name } else { at };
                return self.in_element(Element { is_bare, ..Element::default() }, byte, false);
            }
        };
        self.at = next;
        self.ready.push(byte);
    }

    fn end(&mut self, element: &Element) {
        if element.is_too_long {
            self.ready.extend_from_slice(TOO_LONG);
        } else if let Some(mut other) = replaced(&self.held) {
            self.ready.append(&mut other);
        } else {
            self.ready.append(&mut self.held);
        }
        self.held = Vec::new();
        // What follows a number or a word ends it, and is not part of it.
        let end = self.taken - u64::from(element.is_bare);
        self.ends.push_back((self.passed + self.ready.len() as u64, end));
    }

    /// Reads until something can be passed on, or the document ends.
    fn fill(&mut self) -> io::Result<()> {
        self.passed += self.ready.len() as u64;
        self.ready.clear();
        self.begin = 0;
        while self.ready.is_empty() {
            // The chunk is copied, since each byte of it changes the state.
            let chunk = self.reader.fill_buf()?.to_owned();
            if chunk.is_empty() {
                // What is not complete is an error of the parser.
                self.ready = mem::take(&mut self.held);
                return Ok(());
            }
            chunk.iter().for_each(|byte| self.take(*byte));
            self.reader.consume(chunk.len());
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Elements<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.begin == self.ready.len() {
            self.fill()?;
        }
        let read = (&self.ready[self.begin..]).read(buffer)?;
        self.begin += read;
        let end = self.passed + self.begin as u64;
        while let Some((_, read_to)) = self.ends.pop_front_if(|(at, _)| *at <= end) {
            self.read_to.set(read_to);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_of_bytes_is_read_to_its_end() {
        let bytes = b"[]{}:,\"\\1\x0c";
        let sequences = |length: u32| (0..bytes.len().pow(length)).map(move |n| (n, length));
        for (n, length) in (1..=5).flat_map(sequences) {
            let nth = |place| bytes[n / bytes.len().pow(place) % bytes.len()];
            let sequence: Vec<u8> = (0..length).map(nth).collect();
            let mut read = Vec::new();
            let whole = Elements::new(sequence.as_slice(), 3).read_to_end(&mut read);
            assert!(whole.is_ok(), "{sequence:?}");
        }
    }
}
