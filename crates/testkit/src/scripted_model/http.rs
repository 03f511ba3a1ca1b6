//! HTTP/1.1 on a blocking stream: one request and one response per connection.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Sizes in bytes of successive writes of a stream. They make event boundaries, character
/// boundaries and socket reads fall in different places.
const WRITE_SIZES: [usize; 6] = [7, 61, 1, 113, 29, 251];

/// A parsed request. The path has no query, header names are in lower case.
pub(super) struct HttpRequest {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// A response with a body of known length.
pub(super) struct Body {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) header: Option<(&'static str, String)>,
    pub(super) text: String,
    /// Time before the first byte.
    pub(super) delay: Duration,
    /// Whether the connection closes after half of the text.
    pub(super) is_cut: bool,
}

/// The server's action on a connection after the request.
pub(super) enum Response {
    Body(Body),
    /// Sends an event stream with a pause between the batches. Without `is_complete`, the
    /// connection closes before the end of the HTTP body.
    Stream {
        batches: Vec<String>,
        pause: Duration,
        is_complete: bool,
    },
    Hang,
}

impl Response {
    pub(super) fn body(status: u16, content_type: &'static str, text: String) -> Self {
        let delay = Duration::ZERO;
        Self::Body(Body { status, content_type, header: None, text, delay, is_cut: false })
    }

    /// Adds a header. Has no effect on a stream.
    pub(super) fn with_header(mut self, name: &'static str, value: String) -> Self {
        if let Self::Body(body) = &mut self {
            body.header = Some((name, value));
        }
        self
    }
}

/// Reads one request with its body.
///
/// # Errors
///
/// [`ErrorKind::InvalidData`] if the request is not HTTP/1.1, any other kind if the peer closes
/// early or the socket fails.
pub(super) fn read_request(stream: &TcpStream) -> io::Result<HttpRequest> {
    let mut reader = BufReader::new(stream);
    let line = read_line(&mut reader)?;
    let mut words = line.split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1")) = (words.next(), words.next(), words.next()) else {
        return Err(invalid("the request line is not HTTP/1.1"));
    };
    let path = target.split('?').next().unwrap_or_default();
    let headers = read_headers(&mut reader)?;
    let header = |name: &str| {
        let header = headers.iter().find(|header| header.0 == name);
        header.map(|(_, value)| value.as_str())
    };
    if header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
        let mut writer = stream;
        writer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let mut body = Vec::new();
    if header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        read_chunks(&mut reader, &mut body)?;
    } else if let Some(length) = header("content-length") {
        let length = length.parse().map_err(|_| invalid("the content length is not a number"))?;
        read_exactly(&mut reader, length, &mut body)?;
    }
    Ok(HttpRequest { method: method.to_owned(), path: path.to_owned(), headers, body })
}

fn read_headers(reader: &mut impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    loop {
        let line = read_line(reader)?;
        if line.is_empty() {
            return Ok(headers);
        }
        let (name, value) = line.split_once(':').ok_or_else(|| invalid("a header has no colon"))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

fn read_chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let line = read_line(reader)?;
        let size = line.split(';').next().unwrap_or_default().trim();
        let size =
            u64::from_str_radix(size, 16).map_err(|_| invalid("a chunk size is not a hexadecimal number"))?;
        if size == 0 {
            // Trailers have the form of headers and carry nothing that matters here.
            return read_headers(reader).map(drop);
        }
        read_exactly(reader, size, body)?;
        if !read_line(reader)?.is_empty() {
            return Err(invalid("a chunk is longer than its size"));
        }
    }
}

fn read_exactly(reader: &mut impl BufRead, length: u64, body: &mut Vec<u8>) -> io::Result<()> {
    if reader.by_ref().take(length).read_to_end(body)? as u64 == length {
        Ok(())
    } else {
        Err(ErrorKind::UnexpectedEof.into())
    }
}

fn read_line(reader: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let Some(line) = line.strip_suffix('\n') else {
        return Err(ErrorKind::UnexpectedEof.into());
    };
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

fn invalid(message: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message)
}

/// Writes a response. Returns without an error if the connection closes during a pause.
pub(super) fn write_response(mut stream: &TcpStream, response: &Response) -> io::Result<()> {
    stream.set_nodelay(true)?;
    match response {
        Response::Hang => {
            wait_for_close(stream, None);
            Ok(())
        }
        Response::Body(body) => {
            if wait_for_close(stream, Some(body.delay)) {
                return Ok(());
            }
            let mut head = head(body.status, body.content_type);
            if let Some((name, value)) = &body.header {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            let bytes = body.text.as_bytes();
            head.push_str(&format!("content-length: {}\r\n\r\n", bytes.len()));
            stream.write_all(head.as_bytes())?;
            stream.write_all(if body.is_cut { &bytes[..bytes.len() / 2] } else { bytes })
        }
        Response::Stream { batches, pause, is_complete } => {
            let mut head = head(200, "text/event-stream; charset=utf-8");
            head.push_str("cache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n");
            stream.write_all(head.as_bytes())?;
            write_batches(stream, batches, *pause, *is_complete)
        }
    }
}

fn write_batches(
    mut stream: &TcpStream,
    batches: &[String],
    pause: Duration,
    is_complete: bool,
) -> io::Result<()> {
    let mut sizes = WRITE_SIZES.iter().cycle();
    for (index, batch) in batches.iter().enumerate() {
        if index > 0 && wait_for_close(stream, Some(pause)) {
            return Ok(());
        }
        let mut rest = batch.as_bytes();
        while let (false, Some(&size)) = (rest.is_empty(), sizes.next()) {
            let (piece, tail) = rest.split_at(size.min(rest.len()));
            let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
            chunk.extend_from_slice(piece);
            chunk.extend_from_slice(b"\r\n");
            stream.write_all(&chunk)?;
            rest = tail;
        }
    }
    stream.write_all(if is_complete { b"0\r\n\r\n" } else { b"" })
}

fn head(status: u16, content_type: &str) -> String {
    let reason = if status == 200 { "OK" } else { "Scripted Status" };
    format!("HTTP/1.1 {status} {reason}\r\ncontent-type: {content_type}\r\nconnection: close\r\n")
}

/// Waits until the connection closes, at most for `limit`, and returns whether it has closed.
///
/// Discards all input. A peer that has shut down its sending side counts as closed.
pub(super) fn wait_for_close(mut stream: &TcpStream, limit: Option<Duration>) -> bool {
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    let mut discarded = [0; 1024];
    loop {
        let rest = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if rest == Some(Duration::ZERO) {
            return false;
        }
        if stream.set_read_timeout(rest).is_err() {
            return true;
        }
        match stream.read(&mut discarded).map_err(|error| error.kind()) {
            Ok(0) => return true,
            Ok(_) | Err(ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            Err(_) => return true,
        }
    }
}
