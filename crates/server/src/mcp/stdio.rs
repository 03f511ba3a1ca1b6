//! Standard input and output as a transport of MCP: each message is a line.
//!
//! The transport of the SDK drops a line that it cannot read, and answers a malformed request without its id.
//!
//! **Invariant.** The input ends for the service only when every request is answered, because the service ends soon after
//! it, whatever is still in progress.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ClientRequest, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::io::{StdioReader, StdioWriter, stdio_pipes};
use serde::Serialize;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use super::order::Order;
use crate::rpc;

/// Maximum length of a line, in bytes. A longer one is answered with an error.
const LINE_BYTES_MAX: usize = 16 << 20;

/// Standard input and output.
pub(super) struct Stdio {
    input: BufReader<StdioReader>,
    /// The beginning of a line: a read may be cancelled within one.
    line: Vec<u8>,
    /// Whether the line is longer than [`LINE_BYTES_MAX`].
    is_too_long: bool,
    output: Output,
    /// The requests that have no answer yet, except those that are answered only when the client cancels them.
    pending: watch::Sender<HashSet<RequestId>>,
    /// The order of the calls.
    order: Order,
    /// Whether a request was read that a handshake may begin with. The service fails if another message is before it.
    has_begun: bool,
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
            is_too_long: false,
            pending: watch::Sender::default(),
            output: Arc::new(Mutex::new(Some(output))),
            order: Order::default(),
            has_begun: false,
            answering: None,
        }
    }

    /// Notes that a request waits for its answer, or no longer does because it is cancelled.
    fn count(&self, message: &RxJsonRpcMessage<RoleServer>) {
        self.pending.send_modify(|pending| match message {
            JsonRpcMessage::Request(request) => {
                if !matches!(request.request, ClientRequest::SubscriptionsListenRequest(_)) {
                    pending.insert(request.id.clone());
                }
            }
            JsonRpcMessage::Notification(notified) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notified.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    pending.remove(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        });
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
            self.is_too_long |= kept < count;
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
        let id = match &message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        };
        if let Some(id) = id {
            self.pending.send_modify(|pending| {
                pending.remove(id);
            });
        }
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
            if self.read_line().await.is_none() {
                let mut pending = self.pending.subscribe();
                let _ = pending.wait_for(HashSet::is_empty).await;
                return None;
            }
            let line = std::mem::take(&mut self.line);
            let is_too_long = std::mem::take(&mut self.is_too_long);
            if line.trim_ascii().is_empty() {
                continue;
            }
            let read = match is_too_long {
                true => Err(rpc::too_long(&line)),
                false => rpc::read(&line).map(|(message, _)| message),
            };
            match read {
                Ok(mut message) => {
                    self.count(&message);
                    if let JsonRpcMessage::Request(request) = &mut message {
                        let is_probe = matches!(
                            request.request,
                            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_)
                        );
                        self.has_begun |= !is_probe;
                        self.order.add(&mut request.request);
                    } else if !self.has_begun {
                        continue;
                    }
                    return Some(message);
                }
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
