//! Standard input and output as a transport of MCP: each message is a line.
//!
//! The transport of the SDK drops a line that it cannot read, and answers a malformed request without its id.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::io::{StdioReader, StdioWriter, stdio_pipes};
use serde::Serialize;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::rpc;

/// Maximum length of a line, in bytes. The rest of a longer one is dropped, so that it cannot be read.
const LINE_BYTES_MAX: usize = 16 << 20;

/// Standard input and output.
pub(super) struct Stdio {
    input: BufReader<StdioReader>,
    /// The beginning of a line: a read may be cancelled within one.
    line: Vec<u8>,
    output: Output,
    /// The answer to a malformed request, while it is written.
    answering: Option<JoinHandle<io::Result<()>>>,
}

/// Standard output; `None` after the end.
type Output = Arc<Mutex<Option<StdioWriter>>>;

impl Stdio {
    /// Opens standard input and output.
    pub(super) fn open() -> Self {
        let (input, output) = stdio_pipes();
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            output: Arc::new(Mutex::new(Some(output))),
            answering: None,
        }
    }

    /// Reads up to the end of a line; the last one may have none. Returns `None` at the end of the input. Cancellation
    /// safe.
    async fn read_line(&mut self) -> Option<()> {
        loop {
            let read = self.input.fill_buf().await.unwrap_or_default();
            if read.is_empty() {
                return (!self.line.is_empty()).then_some(());
            }
            let end = read.iter().position(|byte| *byte == b'\n');
            let count = end.map_or(read.len(), |end| end + 1);
            let kept = count.min(LINE_BYTES_MAX.saturating_sub(self.line.len()));
            self.line.extend_from_slice(&read[..kept]);
            self.input.consume(count);
            if end.is_some() {
                return Some(());
            }
        }
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move { write_line(&output, &message).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(answering) = &mut self.answering {
                // If the client does not read any more, the next answer of the service fails as well.
                let _ = answering.await;
                self.answering = None;
            }
            self.read_line().await?;
            let line = std::mem::take(&mut self.line);
            if line.trim_ascii().is_empty() {
                continue;
            }
            match rpc::read(&line) {
                Ok((message, _)) => return Some(message),
                Err(malformed) if malformed.is_notification => {}
                // A task finishes its line even if this call is cancelled.
                Err(malformed) => {
                    let output = Arc::clone(&self.output);
                    let answer = malformed.answer();
                    self.answering = Some(tokio::spawn(async move { write_line(&output, &answer).await }));
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.take();
        Ok(())
    }
}

/// Writes a message and the end of its line.
async fn write_line(output: &Output, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    let output = output.as_mut().ok_or(io::ErrorKind::NotConnected)?;
    output.write_all(&line).await?;
    output.flush().await
}
