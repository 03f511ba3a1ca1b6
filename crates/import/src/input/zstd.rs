//! Unpacking files that zstd packed.
//!
//! **Invariant.** However a file was made, unpacking it needs bounded memory, and yields a bounded number of bytes.

use std::io::{self, BufRead, BufReader, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The ending of JSON Lines that are packed.
pub(crate) const PACKED: &str = ".jsonl.zst";
/// Maximum size of the window in which a file repeats what it has said, in bytes: the one that every decoder should
/// support (RFC 8878). Only `--ultra` and `--long` of zstd need more.
const WINDOW_BYTES: u64 = 8 << 20;

/// The content of a packed file. It may have several frames.
pub(super) struct Unpacked<R> {
    packed: BufReader<R>,
    decoder: FrameDecoder,
    limit: u64,
    /// The number of bytes that it may still have.
    left: u64,
    /// Why it cannot be read further: after damage, anything could follow.
    failure: Option<String>,
}

impl<R: Read> Unpacked<R> {
    /// Unpacks up to `limit` bytes. If there are more, reading fails.
    pub(super) fn new(packed: R, limit: u64) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW_BYTES);
        Self { packed: BufReader::new(packed), decoder, limit, left: limit, failure: None }
    }

    /// Begins the next frame, and returns whether there is one.
    fn next_frame(&mut self) -> io::Result<bool> {
        if self.packed.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.decoder.init(&mut self.packed) {
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                io::copy(&mut self.packed.by_ref().take(length.into()), &mut io::sink())?;
                Ok(true)
            }
            begun => begun.map(|()| true).map_err(|e| failed(&e)),
        }
    }

    fn unpack(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 {
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.decoder.decode_blocks(&mut self.packed, one).map_err(|e| failed(&e))?;
            } else if !self.next_frame()? {
                return Ok(0);
            }
        }
        let read = self.decoder.read(buffer)?;
        let left = self.left.checked_sub(read as u64);
        self.left =
            left.ok_or_else(|| io::Error::other(format!("unpacked, it has more than {} bytes", self.limit)))?;
        Ok(read)
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(why) = &self.failure {
            return Err(io::Error::other(why.clone()));
        }
        let read = self.unpack(buffer);
        self.failure = read.as_ref().err().map(ToString::to_string);
        read
    }
}

/// Returns why a file cannot be unpacked.
fn failed(e: &FrameDecoderError) -> io::Error {
    io::Error::other(match e {
        FrameDecoderError::WindowSizeTooBig { requested, max } => format!(
            "decompressing it needs a window of {requested} bytes, and the limit is {max}: decompress it with `zstd -d`"
        ),
        _ => "it is damaged, or was not packed by zstd".to_owned(),
    })
}
