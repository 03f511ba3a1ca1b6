//! Server-sent events, as far as the streams of models use them.
//!
//! Format: <https://html.spec.whatwg.org/multipage/server-sent-events.html>

use std::io::{self, BufRead, Read as _};

/// Maximum length of a line, in bytes.
const LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The beginnings of the lines of a stream.
const FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];

/// Returns whether a body that begins in this way can be a stream of events. An empty one can.
pub(crate) fn is_stream(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    FIELDS.iter().any(|field| start.starts_with(field) || field.starts_with(start))
}

/// Reads the next event and returns its data; `None` at the end of the stream.
///
/// # Errors
/// An error of the connection, or of kind [`io::ErrorKind::InvalidData`] if a line is too long or not UTF-8.
pub(crate) fn next(stream: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut data: Option<String> = None;
    loop {
        let mut line = Vec::new();
        let count = stream.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
        if count == 0 {
            // An event is complete only with the empty line after it.
            return Ok(None);
        }
        if line.last() != Some(&b'\n') && count as u64 == LINE_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a line of the stream is too long"));
        }
        let line = String::from_utf8(line).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))?;
        let line = line.trim_end_matches(['\n', '\r']);
        if line.is_empty() {
            if data.is_some() {
                return Ok(data);
            }
        } else if let Some(value) = line.strip_prefix("data:") {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => data = Some(value.to_owned()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_read_one_by_one() {
        let mut stream =
            io::Cursor::new(": ping\n\nevent: a\ndata: {\"x\":\r\ndata: 1}\r\n\r\ndata:2\n\ndata: cut");
        assert_eq!(next(&mut stream).unwrap().as_deref(), Some("{\"x\":\n1}"));
        assert_eq!(next(&mut stream).unwrap().as_deref(), Some("2"));
        assert_eq!(next(&mut stream).unwrap(), None);
    }
}
