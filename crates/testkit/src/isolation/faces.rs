//! Asks a real HTTP server, by JSON and by MCP, for every asker that a gateway can name.
//!
//! The routes come from the server's own document, so a new route is covered as soon as it exists.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, mpsc};
use std::thread;

use memtape::{Options as WorkspaceOptions, Workspace};
use memtape_server::WorkspacePool;
use memtape_server::http::tokens::{Kind, Token, Tokens};
use memtape_server::http::{self, Stop};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::answers::Answer;
use super::world::{Asker, SESSIONS, SHARED};
use super::written::Written;
use crate::laws::{Verdict, text};

/// A running server of a world's workspace.
pub(super) struct Server {
    address: SocketAddr,
    tokens: Vec<(String, String)>,
    /// The reads below `/v1` that need no part of the path.
    routes: Vec<String>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<std::io::Result<()>>>,
}

/// What a route shows although it was not asked for by name.
const UNASKED: [&str; 3] = ["/v1/brief", "/v1/prompt", "/v1/view"];

impl Server {
    pub(super) fn start(written: &Written<'_>) -> Result<Self, String> {
        let dir = written.test.workspace.dir().to_owned();
        let known = Tokens::of(&dir);
        let mut tokens = Vec::new();
        let channels = SESSIONS.iter().filter_map(|(label, _)| label.split_once(':'));
        // No token names a conversation at the terminal.
        let channels: Vec<_> = channels.filter(|(channel, _)| *channel != "cli").collect();
        for (n, channel) in channels.iter().map(|(channel, _)| *channel).enumerate() {
            let prefix = format!("{channel}:");
            if tokens.iter().all(|(known, _)| *known != prefix) {
                let kind = Kind::Gateway { prefix: prefix.clone() };
                tokens.push((prefix, known.add(token(&format!("g{n}"), kind)).map_err(text)?));
            }
        }
        tokens.push((String::new(), known.add(token("owner", Kind::Owner)).map_err(text)?));
        let config = written.test.workspace.config().clone();
        let upstream = written.test.upstream.clone();
        let open = move |dir: &std::path::Path| {
            let (config, upstream) = (config.clone(), upstream.clone());
            Workspace::open(dir, WorkspaceOptions { config, upstream, ..WorkspaceOptions::default() })
        };
        let options = http::Options {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            workspaces: WorkspacePool::one(dir, Arc::new(open)),
            hosts: Vec::new(),
            origins: Vec::new(),
            ticket: None,
        };
        let (stop, told) = oneshot::channel();
        let (ready, address) = mpsc::channel();
        let thread = thread::spawn(move || {
            http::serve(options, Stop::Told(told), move |address| {
                ready.send(address).map_err(std::io::Error::other)
            })
        });
        let address = address.recv().map_err(text)?;
        let mut server = Self { address, tokens, routes: Vec::new(), stop: Some(stop), thread: Some(thread) };
        let document: Value =
            serde_json::from_str(&server.send("GET", "/openapi.json", &[], "")?).map_err(text)?;
        let paths = document["paths"].as_object().into_iter().flatten();
        // The stream of events has no end; its lines are those of the journal.
        let has_end =
            |item: &Value| item["get"]["responses"]["200"]["content"].get("application/json").is_some();
        let reads = paths.filter(|(path, item)| has_end(item) && !path.contains('{'));
        server.routes = reads.map(|(path, _)| path.clone()).collect();
        Ok(server)
    }

    /// Returns the answers of every read to an asker; none if no token can name the asker.
    pub(super) fn answers(&self, asker: &Asker) -> Result<Vec<Answer>, String> {
        let Some(mut head) = self.head(asker) else { return Ok(Vec::new()) };
        let mut answers = self.reads(&head, None)?;
        let tool = json!({"query": "tea", "limit": 40}).to_string();
        let text = self.send("POST", "/v1/tools/memory_recall", &head, &tool)?;
        answers.push(Answer { call: "POST memory_recall".into(), text, by_itself: true });
        self.mcp(&mut head, &mut answers)?;
        Ok(answers)
    }

    /// Returns the headers of an asker's requests; `None` if no token can name the asker.
    pub(super) fn head(&self, asker: &Asker) -> Option<Vec<(String, String)>> {
        let label = asker.session.map(|n| SESSIONS[n].0);
        if asker.layer.is_some() || label.is_none() && asker.user.is_some() {
            return None;
        }
        let is_theirs = |(prefix, _): &&(String, String)| match label {
            Some(label) => !prefix.is_empty() && label.starts_with(prefix.as_str()),
            None => prefix.is_empty(),
        };
        let (_, token) = self.tokens.iter().find(is_theirs)?;
        let mut head = vec![("Authorization".to_owned(), format!("Bearer {token}"))];
        head.extend(label.map(|label| ("Memtape-Session".to_owned(), label.to_owned())));
        // A gateway names its user by the id alone.
        let of_channel =
            label.and_then(|label| label.split_once(':')).map(|(channel, _)| format!("{channel}:"));
        let id = asker.user_text().map(|user| match &of_channel {
            Some(channel) => user.strip_prefix(channel.as_str()).unwrap_or(&user).to_owned(),
            None => user,
        });
        head.extend(id.map(|id| ("Memtape-User".to_owned(), id)));
        Some(head)
    }

    /// Returns the answers of every read below `/v1`, at a point.
    pub(super) fn reads(&self, head: &[(String, String)], at: Option<&str>) -> Result<Vec<Answer>, String> {
        let mut answers = Vec::new();
        for route in &self.routes {
            let mut path = match route.as_str() {
                "/v1/recall" => format!("/v1/recall?limit=50&query={}", SHARED.join(" ").replace(' ', "%20")),
                route => route.to_owned(),
            };
            if let Some(at) = at {
                path += &format!("{}at={at}", if path.contains('?') { '&' } else { '?' });
            }
            let text = self.send("GET", &path, head, "")?;
            answers.push(Answer {
                call: format!("GET {path}"),
                text,
                by_itself: UNASKED.contains(&route.as_str()),
            });
        }
        Ok(answers)
    }

    /// Adds what MCP shows: every resource, and the prompts.
    fn mcp(&self, head: &mut Vec<(String, String)>, answers: &mut Vec<Answer>) -> Verdict {
        for (name, value) in [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-06-18"),
        ] {
            head.push((name.into(), value.into()));
        }
        let call = |method: &str, params: Value| {
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
            self.send("POST", "/mcp", head, &body)
        };
        let listed = call("resources/list", json!({}))?;
        let parsed: Value = serde_json::from_str(&listed).map_err(text)?;
        answers.push(Answer { call: "resources/list".into(), text: listed, by_itself: false });
        for resource in parsed["result"]["resources"].as_array().into_iter().flatten() {
            let read = call("resources/read", json!({"uri": resource["uri"]}))?;
            let is_view = resource["uri"] == "memtape://view";
            answers.push(Answer {
                call: format!("read {}", resource["uri"]),
                text: read,
                by_itself: is_view,
            });
        }
        for params in [
            json!({"name": "session-brief"}),
            json!({"name": "what-do-you-know", "arguments": {"topic": SHARED[0]}}),
        ] {
            let got = call("prompts/get", params.clone())?;
            answers.push(Answer { call: format!("prompt {params}"), text: got, by_itself: true });
        }
        Ok(())
    }

    /// Sends a request and returns the body of the response.
    fn send(
        &self,
        method: &str,
        path: &str,
        head: &[(String, String)],
        body: &str,
    ) -> Result<String, String> {
        let mut stream = TcpStream::connect(self.address).map_err(text)?;
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n",
            self.address,
            body.len()
        );
        for (name, value) in head {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).map_err(text)?;
        let mut response = String::new();
        stream.read_to_string(&mut response).map_err(text)?;
        let (_, body) = response.split_once("\r\n\r\n").ok_or("no response")?;
        Ok(body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn token(name: &str, kind: Kind) -> Token {
    Token {
        name: name.to_owned(),
        hash: String::new(),
        kind,
        workspace: None,
        tools: ["core", "ledger", "notes", "blocks"].map(str::to_owned).to_vec(),
        read_only: false,
    }
}

impl Written<'_> {
    /// Checks what a server shows an asker.
    pub(super) fn served(&self, asker: &Asker, server: &Server) -> Verdict {
        for answer in server.answers(asker)? {
            self.check(asker, &answer, self.world.all_planted.len(), |_| false)?;
        }
        Ok(())
    }
}
