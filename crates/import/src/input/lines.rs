//! Reading line by line.

use std::io::{BufRead, Read as _};

use memtape::lenient_json;
use serde_json::{Map, Value};

use super::{Input, plain, skip_file};
use crate::error::Result;
use crate::item::Place;
use crate::sink::Sink;

/// Takes a line with its number, from 1.
type EachLine<'e> = &'e mut dyn FnMut(u64, &str, &mut dyn Sink) -> Result<()>;
/// Takes the object in a line with the number of the line, from 1.
type EachObject<'e> = &'e mut dyn FnMut(u64, Map<String, Value>, &mut dyn Sink) -> Result<()>;

impl Input {
    /// Calls `each` with every line of a file, without its line end. Lines that are too long or not UTF-8 are reported
    /// to the sink. So is the file, if it cannot be read.
    ///
    /// # Errors
    /// Every error that `each` returns, unchanged. What cannot be read is none: the sink gets it.
    pub fn for_lines(&self, path: &str, sink: &mut dyn Sink, each: EachLine<'_>) -> Result<()> {
        let mut reader = match self.reader(path) {
            Ok(reader) => reader,
            Err(e) => {
                skip_file(path, &e, sink);
                return Ok(());
            }
        };
        let limit = self.limits.line_bytes;
        let mut line = Vec::new();
        let mut number = 0;
        loop {
            line.clear();
            let read = reader.by_ref().take(limit as u64 + 2).read_until(b'\n', &mut line);
            match read {
                Ok(0) => return Ok(()),
                Ok(read) => self.count(read as u64),
                Err(e) => {
                    skip_file(path, &self.unreadable(path, &plain(&e)), sink);
                    return Ok(());
                }
            }
            number += 1;
            let place = || Place::line(path, number);
            let is_whole = line.last() == Some(&b'\n') || line.len() <= limit;
            if !is_whole {
                sink.unreadable(place(), &format!("the line is longer than {limit} bytes"));
                self.pass_line(&mut reader);
                continue;
            }
            while let Some(b'\n' | b'\r') = line.last() {
                line.pop();
            }
            match std::str::from_utf8(&line) {
                Ok(text) if number == 1 => each(number, text.trim_start_matches('\u{feff}'), sink)?,
                Ok(text) => each(number, text, sink)?,
                Err(_) => sink.unreadable(place(), "the line is not UTF-8"),
            }
        }
    }

    /// Reads to the end of a line without keeping it.
    fn pass_line(&self, reader: &mut impl BufRead) {
        while let Ok(chunk) = reader.fill_buf() {
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(chunk.len(), |end| end + 1);
            reader.consume(used);
            self.count(used as u64);
            if end.is_some() || used == 0 {
                return;
            }
        }
    }

    /// Calls `each` with the JSON object of every line of a file. Empty lines are passed over; lines that are no JSON
    /// object are reported to the sink.
    ///
    /// # Errors
    /// Every error that `each` returns, unchanged. What cannot be read is none: the sink gets it.
    pub fn for_json_lines(&self, path: &str, sink: &mut dyn Sink, each: EachObject<'_>) -> Result<()> {
        self.for_lines(path, sink, &mut |number, line, sink| {
            if line.trim().is_empty() {
                return Ok(());
            }
            match lenient_json::from_str(line) {
                Ok(Value::Object(fields)) => each(number, fields, sink),
                Ok(_) => {
                    sink.unreadable(Place::line(path, number), "the line is not a JSON object");
                    Ok(())
                }
                Err(e) => {
                    sink.unreadable(
                        Place::line(path, number),
                        &format!("the line is not JSON: {}", cause(&e)),
                    );
                    Ok(())
                }
            }
        })
    }
}

/// Returns why a text is not JSON, without the position within it.
pub(super) fn cause(e: &serde_json::Error) -> String {
    let text = e.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_owned()
}
