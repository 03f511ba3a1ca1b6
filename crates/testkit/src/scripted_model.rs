//! A scripted language model for integration tests.
//!
//! [`ScriptedModel`] is an HTTP server on a loopback port. It serves OpenAI-compatible chat
//! completions (`POST /v1/chat/completions`) and Anthropic messages (`POST /v1/messages`), with
//! tool calls and streaming. A closure receives each [`Request`] and returns the [`Answer`] to
//! send. `GET /v1/models` lists one model, `scripted`.
//!
//! The server closes every connection after one response. It checks neither API keys nor protocol
//! versions: a test reads them with [`Request::header`].
//!
//! ```ignore
//! let model = ScriptedModel::start(|request| {
//!     if request.last_text().contains("weather") {
//!         Answer::Call(vec![("get_weather".into(), json!({"city": "Oslo"}))])
//!     } else {
//!         Answer::Say("Hello.".into())
//!     }
//! });
//! let client = Client::new(&model.base_url());
//! ```

mod http;
mod wire;

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use http::{HttpRequest, Response};

/// Time the server waits for the peer to close after a response.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// A wire protocol of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI-compatible chat completions.
    OpenAi,
    /// Anthropic messages.
    Anthropic,
}

/// A request that reached one of the two model endpoints with a JSON object as its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Protocol of the endpoint.
    pub protocol: Protocol,
    /// Requested model, empty if the body names none.
    pub model: String,
    /// System prompt. Several system or developer messages or blocks are joined by newlines.
    pub system: String,
    /// Messages as received, without the system and developer messages of OpenAI.
    pub messages: Vec<Value>,
    /// Names of the offered tools.
    pub tools: Vec<String>,
    /// Whether the client asked for a stream.
    pub stream: bool,
    /// Headers in the order received, with lower-case names.
    pub headers: Vec<(String, String)>,
    /// Complete body.
    pub body: Value,
}

impl Request {
    fn new(protocol: Protocol, headers: Vec<(String, String)>, body: Value) -> Self {
        let mut system = vec![text_of(&body["system"])];
        let mut messages = Vec::new();
        for message in elements(&body["messages"]) {
            match message["role"].as_str() {
                Some("system" | "developer") => system.push(text_of(message)),
                _ => messages.push(message.clone()),
            }
        }
        let tools = elements(&body["tools"]).iter().filter_map(|tool| {
            let name = tool.pointer("/function/name").or_else(|| tool.get("name"));
            Some(name?.as_str()?.to_owned())
        });
        Self {
            protocol,
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            system: join_lines(system),
            messages,
            tools: tools.collect(),
            stream: body["stream"] == true,
            headers,
            body,
        }
    }

    /// Returns the text of the last message, tool results included.
    ///
    /// Text blocks are joined by newlines. The result is empty if there is no message or if the
    /// last one has no text.
    pub fn last_text(&self) -> String {
        self.messages.last().map(text_of).unwrap_or_default()
    }

    /// Returns the system prompt and the texts of all messages, joined by newlines.
    ///
    /// The arguments of tool calls are not included.
    pub fn text(&self) -> String {
        let messages = self.messages.iter().map(text_of);
        join_lines([self.system.clone()].into_iter().chain(messages))
    }

    /// Returns the first header with this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|header| header.0.eq_ignore_ascii_case(name));
        header.map(|(_, value)| value.as_str())
    }
}

/// The response of the server to one request.
///
/// Successful responses report usage. The prompt counts the characters of [`Request::text`], the
/// completion those of the text and the tool arguments; each is divided by four and at least 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Sends this text.
    Say(String),
    /// Calls these tools, each a name and its arguments.
    Call(Vec<(String, Value)>),
    /// Sends a text, then calls these tools.
    SayAndCall(String, Vec<(String, Value)>),
    /// Refuses with this text: `refusal` in OpenAI, stop reason `refusal` in Anthropic.
    Refuse(String),
    /// Sends this text and stops at the token limit.
    CutOff(String),
    /// Fails with this HTTP status and an error body of the protocol.
    Status {
        /// HTTP status code.
        code: u16,
        /// Message in the error body.
        message: String,
        /// Value of the `retry-after` header in seconds. `None` sends no header.
        retry_after: Option<u64>,
    },
    /// Streams the first text, then an error event with the second text as its message.
    ///
    /// Without a stream, the response has status 500.
    StreamError(String, String),
    /// Closes the connection after this text, before the end of the stream.
    ///
    /// Without a stream, the connection closes after half of the body.
    Disconnect(String),
    /// Calls a tool (the first string) with this text as its arguments, valid JSON or not.
    ///
    /// Anthropic without a stream can only send an object, so the input is `{"_raw": text}`.
    BadToolArguments(String, String),
    /// Sends status 200 and this text as an HTML body, with or without a stream.
    Garbage(String),
    /// Sends nothing until the peer closes or the server is dropped.
    Hang,
    /// Streams the text one character at a time and pauses after each character.
    ///
    /// Without a stream, the complete body follows after the sum of the pauses.
    Drip(String, Duration),
}

/// A language model on a loopback port that answers from a script.
///
/// Dropping it closes all connections and waits for their threads, so a closure that never returns
/// blocks the drop.
pub struct ScriptedModel {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl ScriptedModel {
    /// Starts a server that asks `answer` for the response to each request.
    ///
    /// Each connection has its own thread, but `answer` handles one request at a time, in the order
    /// of [`requests`](Self::requests). If it panics, the connection closes without a response.
    ///
    /// # Panics
    ///
    /// If no loopback port is available.
    pub fn start(answer: impl FnMut(&Request) -> Answer + Send + 'static) -> Self {
        let (listener, address) = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr().map(|address| (listener, address)))
            .expect("a loopback port is available");
        let script = Script { answer: Box::new(answer), ids: wire::Ids::default() };
        let shared = Arc::new(Shared {
            script: Mutex::new(script),
            requests: Mutex::default(),
            is_stopped: AtomicBool::new(false),
        });
        let acceptor = thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept_connections(&listener, &shared)
        });
        Self { address, shared, acceptor: Some(acceptor) }
    }

    /// Returns the base URL for both protocols, `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Returns all requests passed to the script so far, oldest first.
    ///
    /// Requests with an unknown path, a wrong method or an invalid body are not recorded.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.requests).clone()
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::SeqCst);
        // A connection wakes the accept loop, which then reads the flag.
        let _ = TcpStream::connect_timeout(&self.address, CLOSE_TIMEOUT);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

struct Script {
    answer: Box<dyn FnMut(&Request) -> Answer + Send>,
    ids: wire::Ids,
}

struct Shared {
    script: Mutex<Script>,
    requests: Mutex<Vec<Request>>,
    is_stopped: AtomicBool,
}

fn accept_connections(listener: &TcpListener, shared: &Arc<Shared>) {
    // Only the connection's thread owns the stream, so the socket closes when that thread ends.
    let mut connections: Vec<(Weak<TcpStream>, JoinHandle<()>)> = Vec::new();
    while !shared.is_stopped.load(Ordering::SeqCst) {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(Duration::from_millis(5));
            continue;
        };
        connections.retain(|(_, thread)| !thread.is_finished());
        let stream = Arc::new(stream);
        let weak = Arc::downgrade(&stream);
        let shared = Arc::clone(shared);
        connections.push((weak, thread::spawn(move || serve(&stream, &shared))));
    }
    for stream in connections.iter().filter_map(|(stream, _)| stream.upgrade()) {
        let _ = stream.shutdown(Shutdown::Both);
    }
    for (_, thread) in connections {
        let _ = thread.join();
    }
}

fn serve(stream: &TcpStream, shared: &Shared) {
    let response = match http::read_request(stream) {
        Ok(request) => route(request, shared),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            wire::error(Protocol::OpenAi, 400, &format!("malformed HTTP request: {error}"))
        }
        Err(_) => return,
    };
    // Closing a socket with unread input resets it and can discard the response on its way.
    if http::write_response(stream, &response).is_ok() && stream.shutdown(Shutdown::Write).is_ok() {
        http::wait_for_close(stream, Some(CLOSE_TIMEOUT));
    }
}

fn route(request: HttpRequest, shared: &Shared) -> Response {
    let HttpRequest { method, path, headers, body } = request;
    let (protocol, allowed) = match path.as_str() {
        "/v1/chat/completions" => (Protocol::OpenAi, "POST"),
        "/v1/messages" => (Protocol::Anthropic, "POST"),
        "/v1/models" => (Protocol::OpenAi, "GET"),
        _ => {
            let message = format!("Invalid URL ({method} {path})");
            return wire::error(Protocol::OpenAi, 404, &message);
        }
    };
    if method != allowed {
        let message = format!("Not allowed to {method} on {path}");
        return wire::error(protocol, 405, &message).with_header("allow", allowed.to_owned());
    }
    if allowed == "GET" {
        return wire::models();
    }
    let body = match serde_json::from_slice::<Value>(&body) {
        Ok(body) if body.is_object() => body,
        _ => return wire::error(protocol, 400, "The request body is not a JSON object"),
    };
    let request = Request::new(protocol, headers, body);
    let mut script = lock(&shared.script);
    lock(&shared.requests).push(request.clone());
    let answer = (script.answer)(&request);
    wire::respond(&request, answer, &mut script.ids)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Returns the text of a message, of its content or of one content block.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => join_lines(blocks.iter().map(text_of)),
        Value::Object(fields) => {
            let text = fields.get("text").or_else(|| fields.get("content"));
            text.map(text_of).unwrap_or_default()
        }
        _ => String::new(),
    }
}

fn join_lines(lines: impl IntoIterator<Item = String>) -> String {
    let lines = lines.into_iter().filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
