//! Bounds the elements of a JSON document before they are parsed, without holding more of one than the limit.
//!
//! An element is a value in the list that is the document, in a list that is a field of the document, or of any other
//! field of the document. One that is too long is replaced by [`TOO_LONG`].

use std::io::{self, BufRead, Read};
use std::mem;

use serde_json::Value;

/// What replaces an element that is too long. No program writes such a name.
const TOO_LONG: &[u8] = br#"{"\u0000 too long":0}"#;
/// The name in [`TOO_LONG`].
const MARK: &str = "\0 too long";

/// Returns whether a value replaces one that is too long, or has it in a field.
pub(super) fn is_too_long(value: &Value) -> bool {
    let Value::Object(fields) = value else { return false };
    fields.contains_key(MARK) || fields.values().any(|field| field.get(MARK).is_some())
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
        }
    }

    /// Takes the next byte of the document.
    fn take(&mut self, byte: u8) {
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
            (at, b' ' | b'\n' | b'\r' | b'\t') | (at @ (At::List(_) | At::Name), b',') => at,
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
        match element.is_too_long {
            true => self.ready.extend_from_slice(TOO_LONG),
            false => self.ready.append(&mut self.held),
        }
        self.held = Vec::new();
    }

    /// Reads until something can be passed on, or the document ends.
    fn fill(&mut self) -> io::Result<()> {
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
        Ok(read)
    }
}
