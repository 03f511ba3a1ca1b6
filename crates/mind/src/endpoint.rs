//! A model behind HTTP: one call with its time limit, and which failures are worth another try.
//!
//! **Invariant.** No error contains the API key.

use std::io::{BufRead, BufReader, Read};
use std::thread;
use std::time::{Duration, Instant};

use memtape::config::{EndpointConfig, ModelConfig, Provider};
use serde_json::Value;
use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body};

use crate::chat::{Answer, Rejected, Request, Usage, start};
use crate::error::{Error, Failure, Result};
use crate::key::Key;
use crate::{anthropic, openai, sse};

/// The hint for a failure that may pass.
const LATER: &str = "try again later";

/// Maximum size of an answer, in bytes.
const ANSWER_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Maximum size of an error that is read, in bytes.
const ERROR_BYTES_MAX: u64 = 64 * 1024;
/// The pause before the first repetition; each further one is twice as long.
const PAUSE: Duration = Duration::from_millis(500);
/// The hint for a server that cannot be reached.
const UNREACHABLE: &str = "start the model's server, or check model.base_url";
/// The longest pause that a server may ask for.
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// A model at an address.
pub struct Endpoint {
    agent: Agent,
    provider: Provider,
    base_url: String,
    model: String,
    key: Option<Key>,
    config: EndpointConfig,
    timeout: Duration,
    retries: u32,
}

impl Endpoint {
    /// Prepares the calls of a model; `None` if none is configured. Nothing is sent. `group` begins the names of the keys
    /// of the configuration.
    ///
    /// # Errors
    /// [`Error::Configuration`] if the name is missing, the address is no HTTP address, the key cannot be read, or a key
    /// would be sent to another machine without encryption.
    pub(crate) fn new(
        group: &str,
        config: &EndpointConfig,
        limits: &ModelConfig,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>> {
        let Some(provider) = config.provider else { return Ok(None) };
        let usual = match provider {
            Provider::OpenAi => openai::BASE_URL,
            Provider::Anthropic => anthropic::BASE_URL,
        };
        let base_url = config.base_url.as_deref().unwrap_or(usual).trim_end_matches('/').to_owned();
        let key = Key::read(group, config, environment)?;
        check_address(group, &base_url, key.is_some())?;
        let model =
            config.name.clone().ok_or_else(|| Error::Configuration(format!("{group}.name is not set")))?;
        let mut agent = Agent::config_builder();
        if !base_url.starts_with("https://") {
            // A proxy would see the key and the prompt in clear text.
            agent = agent.proxy(None);
        }
        let agent = agent
            .http_status_as_error(false)
            // A redirection could lead the key elsewhere.
            .max_redirects(0)
            .user_agent(concat!("memtape/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        Ok(Some(Self {
            agent,
            provider,
            base_url,
            model,
            key,
            config: config.clone(),
            timeout: limits.timeout,
            retries: limits.retries,
        }))
    }

    /// Returns the name of the model.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Returns the address of the model.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Returns what its calls cost.
    pub(crate) fn prices(&self) -> (f64, f64) {
        (self.config.price_in, self.config.price_out)
    }

    /// Calls the model, repeating calls that failed for a transient reason. With `on_text` the answer is streamed, and the
    /// closure receives its parts; once it has received one, the call is not repeated. `on_failure` receives the failure of
    /// each attempt.
    ///
    /// # Errors
    /// [`Error::Model`] with the text that arrived.
    pub(crate) fn call(
        &self,
        request: &Request,
        mut on_text: Option<&mut dyn FnMut(&str)>,
        on_failure: &mut dyn FnMut(&Failure),
    ) -> Result<Answer> {
        let deadline = Instant::now() + self.timeout;
        let mut pause = PAUSE;
        let mut tries = 0;
        loop {
            let failure = match self.try_call(request, &mut on_text, deadline) {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            on_failure(&failure);
            let asked = failure.retry_after.map_or(pause, Duration::from_secs);
            let is_late = Instant::now().checked_add(asked).is_none_or(|then| then >= deadline);
            let is_worth_it = failure.is_transient && failure.partial.is_empty() && asked <= PAUSE_MAX;
            if !is_worth_it || is_late || tries >= self.retries {
                return Err(Error::Model(failure));
            }
            tries += 1;
            pause *= 2;
            thread::sleep(asked);
        }
    }

    fn try_call(
        &self,
        request: &Request,
        on_text: &mut Option<&mut dyn FnMut(&str)>,
        deadline: Instant,
    ) -> Result<Answer, Failure> {
        let stream = on_text.is_some();
        let (path, body) = match self.provider {
            Provider::OpenAi => (openai::PATH, openai::body(request, &self.model, stream)),
            Provider::Anthropic => (anthropic::PATH, anthropic::body(request, &self.model, stream)),
        };
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let url = format!("{}/{path}", self.base_url);
        let mut sent = self.agent.post(&url).config().timeout_global(Some(left)).build();
        sent = sent.header("content-type", "application/json");
        if self.provider == Provider::Anthropic {
            sent = sent.header("anthropic-version", anthropic::VERSION);
        }
        if let Some(key) = &self.key {
            sent = match self.provider {
                Provider::OpenAi => sent.header("authorization", format!("Bearer {}", key.text())),
                Provider::Anthropic => sent.header("x-api-key", key.text()),
            };
        }
        let response = sent.send(body.to_string().as_bytes()).map_err(|e| self.failure(&e, ""))?;
        if !response.status().is_success() {
            return Err(self.refused(response));
        }
        match on_text {
            Some(on_text) => self.streamed(response, on_text),
            None => self.whole(&mut response.into_body().into_reader().take(ANSWER_BYTES_MAX)),
        }
    }

    fn whole(&self, body: &mut impl Read) -> Result<Answer, Failure> {
        let mut text = String::new();
        body.read_to_string(&mut text).map_err(|e| self.broken(&e, ""))?;
        let mut parts = Parts::new(self.provider);
        parts.add(&text).map_err(|why| self.rejected(why, ""))?;
        let usage = parts.used();
        let incomplete = || Failure { usage, ..self.said("the answer is incomplete".into(), "") };
        parts.finish().ok_or_else(incomplete)
    }

    fn streamed(&self, response: Response<Body>, on_text: &mut dyn FnMut(&str)) -> Result<Answer, Failure> {
        let mut stream = BufReader::new(response.into_body().into_reader().take(ANSWER_BYTES_MAX));
        let head = stream.fill_buf().map_err(|e| self.broken(&e, ""))?;
        if !sse::is_stream(head) {
            // Some servers do not stream, even when they are asked to.
            let answer = self.whole(&mut stream)?;
            on_text(&answer.text);
            return Ok(answer);
        }
        let mut parts = Parts::new(self.provider);
        if let Err(failure) = self.read(&mut stream, &mut parts, on_text) {
            return Err(Failure { usage: parts.used(), ..failure });
        }
        let (text, usage) = (parts.text().to_owned(), parts.used());
        parts.finish().ok_or_else(|| Failure {
            hint: LATER,
            is_transient: true,
            usage,
            ..self.said("the connection closed before the answer was complete".into(), &text)
        })
    }

    /// Reads a stream to its end.
    fn read(
        &self,
        stream: &mut impl BufRead,
        parts: &mut Parts,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<(), Failure> {
        loop {
            match sse::next(stream) {
                Ok(Some(data)) if data == openai::DONE => return Ok(()),
                Ok(Some(data)) => {
                    let text = parts.add(&data).map_err(|why| self.rejected(why, parts.text()))?;
                    if !text.is_empty() {
                        on_text(&text);
                    }
                }
                Ok(None) => return Ok(()),
                Err(e) => return Err(self.broken(&e, parts.text())),
            }
        }
    }

    /// Returns the failure of an answer with an error status.
    fn refused(&self, response: Response<Body>) -> Failure {
        let status = response.status();
        let retry_after =
            response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let mut text = String::new();
        // A body that cannot be read is ignored: the status is sufficient.
        let _ = response.into_body().into_reader().take(ERROR_BYTES_MAX).read_to_string(&mut text);
        let message = serde_json::from_str::<Value>(&text).ok().and_then(|body| {
            let error = body.get("error")?;
            error.get("message").or(Some(error)).and_then(Value::as_str).map(str::to_owned)
        });
        let message = message.unwrap_or_else(|| start(text.trim()));
        let (what, hint) = match status {
            StatusCode::UNAUTHORIZED if self.key.is_none() => {
                ("the model's server wants an API key", "set model.api_key_env or model.api_key_file")
            }
            StatusCode::UNAUTHORIZED => {
                ("the model's server rejected the API key", "check model.api_key_env or model.api_key_file")
            }
            StatusCode::FORBIDDEN => {
                ("the model's server refused access", "check that the API key may use model.name")
            }
            StatusCode::NOT_FOUND => ("model or path not found", "check model.name and model.base_url"),
            StatusCode::TOO_MANY_REQUESTS => {
                ("rate limit of the model's server reached", "wait, or use another model")
            }
            _ if status.is_redirection() => (
                "the model's server redirects to another address, which is not followed",
                "set model.base_url to the address itself",
            ),
            _ if status.is_server_error() => ("the model's server failed", LATER),
            _ => (
                "the model's server rejected the request",
                "check that the model can call tools, and model.name",
            ),
        };
        let why = match message.is_empty() {
            true => format!("{what} ({})", status.as_u16()),
            false => format!("{what} ({}): {message}", status.as_u16()),
        };
        let is_transient = status.is_server_error() || matches!(status.as_u16(), 408 | 409 | 429);
        let is_of_request = matches!(status.as_u16(), 400 | 413 | 422);
        Failure { hint, is_transient, is_of_request, retry_after, ..self.said(why, "") }
    }

    fn failure(&self, e: &ureq::Error, partial: &str) -> Failure {
        let (why, is_transient) = match e {
            ureq::Error::Timeout(_) => return self.too_slow(partial),
            ureq::Error::HostNotFound => {
                (format!("cannot find the model's server at {}", self.base_url), false)
            }
            e => (format!("cannot reach the model's server at {}: {e}", self.base_url), true),
        };
        Failure { hint: UNREACHABLE, is_transient, ..self.said(why, partial) }
    }

    fn broken(&self, e: &std::io::Error, partial: &str) -> Failure {
        let is_timeout = e.kind() == std::io::ErrorKind::TimedOut
            || e.get_ref()
                .and_then(|inner| inner.downcast_ref::<ureq::Error>())
                .is_some_and(|e| matches!(e, ureq::Error::Timeout(_)));
        match is_timeout {
            true => self.too_slow(partial),
            false => Failure {
                hint: LATER,
                is_transient: true,
                ..self.said(format!("the connection to the model's server broke: {e}"), partial)
            },
        }
    }

    /// Returns the failure of an answer that cannot be used. An error that the server reports after it has accepted the call
    /// may pass.
    fn rejected(&self, why: Rejected, partial: &str) -> Failure {
        match why {
            Rejected::Malformed(why) => {
                Failure { hint: "check model.provider and model.base_url", ..self.said(why, partial) }
            }
            Rejected::Reported(why) => {
                let what = "the model's server reported an error";
                let why = if why.is_empty() { what.to_owned() } else { format!("{what}: {why}") };
                Failure { hint: LATER, is_transient: true, ..self.said(why, partial) }
            }
        }
    }

    fn too_slow(&self, partial: &str) -> Failure {
        let why = format!("the model did not answer within {} s", self.timeout.as_secs());
        Failure { hint: "raise model.timeout_seconds, or use a faster model", ..self.said(why, partial) }
    }

    fn said(&self, why: String, partial: &str) -> Failure {
        let why = match &self.key {
            Some(key) => key.remove_from(&why),
            None => why,
        };
        Failure {
            why: start(&why.split_whitespace().collect::<Vec<_>>().join(" ")),
            partial: partial.to_owned(),
            ..Failure::default()
        }
    }
}

/// The parts of an answer in one of the protocols.
enum Parts {
    OpenAi(openai::Parts),
    Anthropic(anthropic::Parts),
}

impl Parts {
    fn new(provider: Provider) -> Self {
        match provider {
            Provider::OpenAi => Self::OpenAi(openai::Parts::default()),
            Provider::Anthropic => Self::Anthropic(anthropic::Parts::default()),
        }
    }

    fn add(&mut self, data: &str) -> Result<String, Rejected> {
        match self {
            Self::OpenAi(parts) => parts.add(data),
            Self::Anthropic(parts) => parts.add(data),
        }
    }

    fn text(&self) -> &str {
        match self {
            Self::OpenAi(parts) => parts.text(),
            Self::Anthropic(parts) => parts.text(),
        }
    }

    /// Returns the tokens that an answer has used that does not go on; `None` if nothing of it has arrived.
    fn used(&self) -> Option<Usage> {
        let (usage, len) = match self {
            Self::OpenAi(parts) => (parts.usage(), parts.len()),
            Self::Anthropic(parts) => (parts.usage(), parts.len()),
        };
        let Usage { tokens_in, tokens_out } = usage.or((len > 0).then(Usage::default))?;
        Some(Usage { tokens_in, tokens_out: tokens_out.max(Usage::estimated(len)) })
    }

    fn finish(self) -> Option<Answer> {
        match self {
            Self::OpenAi(parts) => parts.finish(),
            Self::Anthropic(parts) => parts.finish(),
        }
    }
}

/// Refuses an invalid address, or one that would carry the key in clear text over a network.
fn check_address(group: &str, base_url: &str, has_key: bool) -> Result<()> {
    let address: ureq::http::Uri = base_url
        .parse()
        .map_err(|_| Error::Configuration(format!("{group}.base_url {base_url:?} is not a valid URL")))?;
    let host = address.host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let is_local = host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
    match address.scheme_str() {
        Some("https") => Ok(()),
        Some("http") if is_local || !has_key => Ok(()),
        Some("http") => Err(Error::Configuration(format!(
            "{base_url} would carry the API key unencrypted: use https, or no key"
        ))),
        _ => Err(Error::Configuration(format!(
            "{group}.base_url {base_url:?} must begin with https:// or http://"
        ))),
    }
}
