//! The agent: a turn of a conversation with a model that has memtape's tools.
//!
//! **Invariants.** The message is on the tape before the model is called. However the model fails, the turn ends and
//! the tape has the reply as far as it arrived. After the model may have read the words of a tool or a page, its writes
//! have their origin.

use memtape::{
    Briefing, FinishedTurn, Inbound, Origin, Prompt, PromptMessage, Reply, Session, ToolUse, Toolbox,
    Trigger, Workspace,
};

use serde_json::json;

use crate::audience::audience_of;
use crate::chat::{Answer, Message, Request, Stop, ToolCall, ToolResult, ToolSpec};
use crate::error::{Error, Result};
use crate::models::{Caller, Models, Purpose};

/// Appended to a reply that stopped at the maximum length.
const CUT: &str = "\n[The reply was cut off at model.max_tokens.]";

/// The answer of a model if a tick or a job needs no reply.
pub const SILENT: &str = "SILENT";
/// Instructs the model of a job how to stay silent.
pub(crate) const MAY_BE_SILENT: &str = "If there is nothing to report, answer with nothing but SILENT.";
/// The message of a perch tick (document 3), unless the caller passes another.
pub const PERCH: &str = "Nobody has written. Look at your focus, goals and schedule, and do what is due. If there is \
    nothing to say to anybody, answer with nothing but SILENT.";

/// An event during a turn, for an observer.
pub enum Event<'a> {
    /// A part of the reply.
    Text(&'a str),
    /// The model calls a tool.
    Call(&'a ToolCall),
    /// The result of the call.
    Result(&'a ToolResult),
}

/// An agent for one workspace.
pub struct Agent<'a> {
    workspace: &'a Workspace,
    models: &'a Models,
}

/// A turn of the agent.
#[derive(Debug, Default)]
pub struct AgentTurn {
    /// The reply; what arrived of it if the model failed. The tape has it cut to `ingest.max_message_bytes`.
    pub reply: String,
    /// The entries that the turn wrote, and the memories that it recalled.
    pub turn: FinishedTurn,
    /// Number of calls of the model.
    pub calls: u64,
    /// Whether the prompt left out a part of the conversation: it should be handed over ([`crate::after_turn`]).
    pub is_full: bool,
    /// Why the reply is not complete, if it is not.
    pub failure: Option<Error>,
}

/// The reply of a model while it is made.
#[derive(Default)]
struct Made {
    text: String,
    /// The origin of foreign text that the model has read; `None` if it has read none.
    seen: Option<Origin>,
    /// The calls whose results may contain such text. They are recorded, so that later turns know it too.
    tools: Vec<ToolUse>,
    failure: Option<Error>,
}

impl<'a> Agent<'a> {
    /// Returns the agent of a workspace.
    #[must_use]
    pub fn new(workspace: &'a Workspace, models: &'a Models) -> Self {
        Self { workspace, models }
    }

    /// Answers a message. `watch` is called for every part of the reply and every call of a tool.
    ///
    /// A failure of the model is not returned as an error: the turn ends with the partial reply, and
    /// [`AgentTurn::failure`] contains the reason.
    ///
    /// # Errors
    /// [`Error::Memtape`] as [`memtape::Conversation::turn`].
    pub fn turn(
        &self,
        session: &Session,
        inbound: &Inbound,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<AgentTurn> {
        let conversation = self.workspace.conversation(session.clone());
        let turn = conversation.begin(inbound)?;
        // In a channel that is not recorded, the conversation has no entry.
        let is_recorded = turn.message().is_some();
        let caller = match is_recorded {
            true => self.models.caller(self.workspace, session),
            false => self.models.caller(self.workspace, &Session::direct()),
        };
        let audience = audience_of(self.workspace, session, inbound.user.as_deref())?;
        let tools = self.workspace.tools().for_session(session.clone()).for_audience(audience);
        let tools = if is_recorded { tools } else { tools.read_only() };
        let is_full = turn.briefing().prompt.is_some_and(has_cut_conversation);
        // The beginning of a reply that may become [`SILENT`], which is not passed on; `None` once it cannot.
        let mut held = (inbound.trigger != Trigger::Message).then(String::new);
        let mut made = self.reply(&caller, &turn.briefing(), inbound, tools, &mut |event| {
            if let (Event::Text(text), Some(begun)) = (&event, &mut held) {
                begun.push_str(text);
                if SILENT.starts_with(begun.trim()) {
                    return;
                }
                let begun = held.take().unwrap_or_default();
                return watch(Event::Text(&begun));
            }
            watch(event);
        });
        let is_silent = inbound.trigger != Trigger::Message && made.text.trim() == SILENT;
        if is_silent {
            made.text.clear();
        } else if let Some(begun) = held.filter(|begun| !begun.is_empty()) {
            watch(Event::Text(&begun));
        }
        if is_silent && is_recorded {
            let journal = self.workspace.journal().in_session(session.clone()).writing_as(Origin::Assistant);
            journal.add("decision", &json!({"action": "stay_silent", "reason": "nothing is due"}))?;
        }
        let reply = Reply {
            text: Some(made.text.as_str())
                .filter(|text| !text.trim().is_empty())
                .map(|text| self.workspace.cut_to_length(text).into_owned()),
            tools: made.tools,
            ..Reply::default()
        };
        let turn = conversation.end(turn, &reply)?;
        Ok(AgentTurn { reply: made.text, turn, calls: caller.count(), is_full, failure: made.failure })
    }

    fn reply(
        &self,
        caller: &Caller<'_>,
        briefing: &Briefing<'_>,
        inbound: &Inbound,
        tools: Toolbox<'_>,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Made {
        let mut made = Made { seen: briefing.seen, ..Made::default() };
        if let Some(too_small) = briefing.too_small {
            made.failure = Some(Error::TooSmall(format!("{too_small} (prompt.budget)")));
            return made;
        }
        let mut request = request(briefing, inbound);
        request.tools = specs(&tools);
        let mut tools = tools;
        for _ in 0..self.workspace.config().mind.agent_rounds {
            let mut on_text = |text: &str| {
                made.text.push_str(text);
                watch(Event::Text(text));
            };
            let answer = match caller.call(Purpose::Reply, &request, Some(&mut on_text)) {
                Ok(answer) => answer,
                Err(e) => {
                    made.failure = Some(e);
                    return made;
                }
            };
            if answer.stop == Stop::Length {
                if !made.text.trim().is_empty() {
                    made.text.push_str(CUT);
                }
                made.failure = Some(Error::CutOff);
                return made;
            }
            if answer.calls.is_empty() || answer.stop != Stop::End {
                if made.text.trim().is_empty() {
                    let why =
                        if answer.stop == Stop::Refusal { "it refuses to answer" } else { "it is empty" };
                    made.failure = Some(Error::Unusable(why.into()));
                }
                return made;
            }
            if !answer.text.is_empty() {
                made.text.push('\n');
                watch(Event::Text("\n"));
            }
            let mut results = Vec::new();
            for call in &answer.calls {
                watch(Event::Call(call));
                tools = tools.writing_as(made.seen.unwrap_or(Origin::Assistant));
                let result = run(&tools, call);
                if !result.is_error && made.seen.is_none() && self.may_show_foreign(&tools, call) {
                    made.seen = Some(Origin::Tool);
                }
                if made.seen.is_some() && !result.is_error && is_reading(&tools, call) {
                    made.tools.push(ToolUse {
                        name: call.name.clone(),
                        arguments: call.arguments.clone().unwrap_or_default(),
                        result: Some(result.text.clone()),
                    });
                }
                watch(Event::Result(&result));
                results.push(result);
            }
            let Answer { text, calls, reasoning, .. } = answer;
            request.messages.push(Message { calls, reasoning, ..Message::assistant(text) });
            request.messages.push(Message { results, ..Message::user("") });
        }
        made.failure = Some(Error::Rounds(self.workspace.config().mind.agent_rounds));
        made
    }

    /// Returns whether the result of a call may contain the words of a tool or a page. A tool that only writes repeats
    /// the model's own arguments, and names what others wrote by its reference.
    fn may_show_foreign(&self, tools: &Toolbox<'_>, call: &ToolCall) -> bool {
        // If that cannot be found out, the less trusted origin is the safe one.
        is_reading(tools, call) && self.workspace.has_foreign().unwrap_or(true)
    }
}

/// Returns whether the reply to a call may show what others wrote.
fn is_reading(tools: &Toolbox<'_>, call: &ToolCall) -> bool {
    let name = call.name.replace('.', "_");
    tools.list().any(|tool| tool.name == name && tool.shows_others())
}

/// Returns whether a prompt leaves out a part of the conversation.
fn has_cut_conversation(prompt: &Prompt) -> bool {
    prompt.sections.iter().any(|section| section.name == "conversation" && section.cut.is_some())
}

/// Returns the request to the model: the prompt of the turn, or the message alone if the channel is not recorded.
fn request(briefing: &Briefing<'_>, inbound: &Inbound) -> Request {
    let Some(prompt) = briefing.prompt else {
        return Request { messages: vec![Message::user(inbound.text.clone())], ..Request::default() };
    };
    let message = |said: &PromptMessage| match said.role {
        memtape::Role::User => Message::user(said.content.clone()),
        memtape::Role::Assistant => Message::assistant(said.content.clone()),
    };
    Request {
        system: prompt.system.clone(),
        messages: prompt.messages.iter().map(message).collect(),
        ..Request::default()
    }
}

/// Returns the tools as a model is shown them.
pub(crate) fn specs(tools: &Toolbox<'_>) -> Vec<ToolSpec> {
    let spec = |tool: &memtape::toolbox::Tool| ToolSpec {
        name: tool.name.into(),
        description: tool.description.into(),
        schema: tool.schema(),
    };
    tools.list().map(spec).collect()
}

/// Calls a tool. An error is a result too: the model can correct its call.
pub(crate) fn run(tools: &Toolbox<'_>, call: &ToolCall) -> ToolResult {
    let outcome = match &call.arguments {
        Ok(arguments) => tools.call(&call.name, arguments.clone()).map_err(|e| {
            let hint =
                e.hint(memtape::Surface::Tools).map_or(String::new(), |hint| format!("\nhint: {hint}"));
            format!("error: {e}{hint}")
        }),
        Err(_) => Err("error: the arguments are not a JSON object: call the tool again".to_owned()),
    };
    let is_error = outcome.is_err();
    let (Ok(text) | Err(text)) = outcome;
    ToolResult { id: call.id.clone(), text, is_error }
}
