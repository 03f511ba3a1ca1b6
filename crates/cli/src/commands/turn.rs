//! The `turn` and `why` commands.

use memtape::statements::Outcome;
use memtape::turn::{NotKept, Unfinished};
use memtape::why::{Change, Spoken, Version};
use memtape::{At, Captured, Fact, Inbound, Lifetime, Ref, Reply, ToolUse, Turn, User, Why, Workspace};
use serde_json::{Value, json};

use super::json::memory_json;
use super::recall::{hit_json, left_json, left_out, print_hit};
use super::{audience, json_argument, text_or_stdin};
use crate::args::{AudienceArgs, TurnArgs};
use crate::output::{Failure, Output, Result, counted, one_line};

/// Maximum number of clauses that were not captured to list; `--json` lists all.
const DROPPED_SHOWN: usize = 10;

pub(super) fn turn(workspace: &Workspace, output: &Output, args: &TurnArgs) -> Result<()> {
    let sender = args.sender_id.as_deref().map(|id| User::new(args.session.channel(), id)).transpose();
    let sender = sender.map_err(memtape::Error::from)?;
    let inbound = Inbound {
        trigger: args.trigger,
        text: text_or_stdin(&args.message)?,
        user: args.user.clone().or(sender.map(|sender| sender.to_string())),
        name: args.name.clone(),
        reply_to: args.reply_to.clone(),
        said_at: args.date.as_deref().map(|date| workspace.instant(date)).transpose()?,
    };
    let reply = Reply {
        text: args.reply.as_deref().map(text_or_stdin).transpose()?,
        tools: tools(args)?,
        pending_actions: args.pending.clone(),
    };
    let turn = workspace.conversation(args.session.clone()).turn(&inbound, |_| Ok(reply))?;
    if output.json {
        return output.value(&turn_json(&turn));
    }
    print_turn(&turn, output)
}

/// Parses the tool calls of the command line, each with its result.
fn tools(args: &TurnArgs) -> Result<Vec<ToolUse>> {
    if args.tool_result.len() > args.tool.len() {
        return Err(Failure::Usage(format!(
            "--tool-result is given {} times and --tool {}: each result belongs to one tool",
            args.tool_result.len(),
            args.tool.len()
        )));
    }
    let mut results = args.tool_result.iter();
    let mut tools = Vec::with_capacity(args.tool.len());
    for tool in &args.tool {
        let (name, arguments) = match tool.split_once('=') {
            Some((name, text)) => (name, json_argument(text, "what follows NAME= in --tool")?),
            None => (tool.as_str(), json!({})),
        };
        if name.trim().is_empty() {
            return Err(Failure::Usage(format!("--tool {tool:?} names no tool: write NAME=JSON")));
        }
        let result = results.next().map(|text| text_or_stdin(text)).transpose()?;
        tools.push(ToolUse { name: name.to_owned(), arguments, result });
    }
    Ok(tools)
}

fn print_turn(turn: &Turn, output: &Output) -> Result<()> {
    let (Some(message), true) = (&turn.message, turn.remembered) else {
        return output.line("this channel is not remembered: nothing was written, nothing recalled");
    };
    for Unfinished { message, text } in &turn.unfinished {
        let text = text.as_deref().unwrap_or("(it cannot be read any more)");
        output.line(format_args!("unfinished {message}: {}", output.one_line(text)))?;
    }
    output.line(format_args!("message  {message}"))?;
    if let Some(reply) = &turn.reply {
        output.line(format_args!("reply    {reply}"))?;
    }
    output.line(format_args!("\nrecalled {}", turn.recalled.hits.len()))?;
    for hit in &turn.recalled.hits {
        print_hit(hit, output)?;
    }
    if turn.recalled.left != memtape::Left::default() {
        output.line(left_out(&turn.recalled.left))?;
    }
    if !turn.memory.is_empty() {
        let chars = counted(turn.counters.prompt_chars, "character", "characters");
        output.line(format_args!("\nin the prompt, {chars}"))?;
        output.text(&turn.memory)?;
    }
    output.line(format_args!("\ncaptured {}", turn.captured.len()))?;
    for captured in &turn.captured {
        print_captured(captured, output)?;
    }
    if !turn.dropped.is_empty() {
        output.line(format_args!("\ndropped  {}", turn.dropped.len()))?;
    }
    for dropped in turn.dropped.iter().take(DROPPED_SHOWN) {
        output.line(format_args!("  {}: {}", dropped.why, output.one_line(&dropped.text)))?;
    }
    match turn.dropped.len().saturating_sub(DROPPED_SHOWN) {
        0 => Ok(()),
        more => output.line(format_args!("  and {more} more")),
    }
}

fn print_captured(captured: &Captured, output: &Output) -> Result<()> {
    let once = match captured.lifetime {
        Lifetime::Session => ", for this conversation only",
        _ => "",
    };
    output.line(format_args!(
        "{} · {} · {} · importance {:.2}, confidence {:.2}{once}",
        captured.outcome.reference(),
        became(&captured.outcome),
        captured.category,
        captured.importance,
        captured.confidence
    ))?;
    output.line(format_args!("  {}", output.one_line(&captured.text)))
}

fn became(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Saved(_) => "saved",
        Outcome::Confirmed(_) => "repeated",
        Outcome::Present(_) => "there already",
    }
}

fn turn_json(turn: &Turn) -> Value {
    let reference = |reference: &Option<Ref>| json!(reference.as_ref().map(ToString::to_string));
    let captured = |captured: &Captured| {
        json!({
            "ref": captured.outcome.reference().to_string(),
            "outcome": became(&captured.outcome),
            "category": captured.category,
            "scope": captured.scope.layer().as_str(),
            "lifetime": captured.lifetime,
            "importance": captured.importance,
            "confidence": captured.confidence,
            "rule": captured.rule,
            "text": captured.text,
        })
    };
    let dropped = |dropped: &NotKept| json!({"why": dropped.why.to_string(), "text": dropped.text});
    let unfinished = |turn: &Unfinished| json!({"message": turn.message.to_string(), "text": turn.text});
    let counters: serde_json::Map<_, _> =
        turn.counters.named().into_iter().map(|(name, n)| (name.to_owned(), json!(n))).collect();
    json!({
        "remembered": turn.remembered,
        "message": reference(&turn.message),
        "reply": reference(&turn.reply),
        "recalled": turn.recalled.hits.iter().map(hit_json).collect::<Vec<_>>(),
        "left": left_json(&turn.recalled.left),
        "memory": turn.memory,
        "captured": turn.captured.iter().map(captured).collect::<Vec<_>>(),
        "dropped": turn.dropped.iter().map(dropped).collect::<Vec<_>>(),
        "unfinished": turn.unfinished.iter().map(unfinished).collect::<Vec<_>>(),
        "counters": counters,
    })
}

pub(super) fn why(
    workspace: &Workspace,
    output: &Output,
    at: &At,
    reference: &str,
    asking: &AudienceArgs,
) -> Result<()> {
    let reference: Ref = reference.parse().map_err(memtape::Error::from)?;
    let why = workspace.why(&reference, &audience(workspace, asking)?, at)?;
    if output.json {
        return output.value(&why_json(&why));
    }
    for version in &why.versions {
        print_version(version, output)?;
    }
    for memory in &why.captured {
        output.line(format_args!("captured  {}", memory.reference()))?;
        output.line(format_args!("  {}", output.one_line(&memory.text)))?;
    }
    let recalled = counted(why.recalls.len() as u64, "turn", "turns");
    output.line(format_args!("recalled  by {recalled}"))?;
    for spoken in &why.recalls {
        print_spoken(spoken, output)?;
    }
    Ok(())
}

fn print_version(version: &Version, output: &Output) -> Result<()> {
    output.line(&version.reference)?;
    for line in version.memory.text.lines() {
        output.line(format!("  {line}").trim_end())?;
    }
    output.line(format_args!("created   {}", change_text(&version.change, output)))?;
    if let Some(proposal) = &version.proposal {
        output.line(format_args!("approved  {proposal}, which an agent had proposed"))?;
    }
    if let Some(fact) = Fact::read(version.memory.clone()) {
        output.line(format_args!("source    {}, confidence {:.2}", fact.data.source, fact.confidence()))?;
        if let Some(evidence) = &fact.data.evidence {
            output.line(format_args!("evidence  {}", output.one_line(evidence)))?;
        }
    }
    if let Some(rule) = &version.rule {
        output.line(format_args!("rule      {rule}"))?;
    }
    if let Some(place) = &version.place {
        output.line(format_args!("read in   {place}"))?;
    }
    if let Some(spoken) = &version.from {
        output.line("said")?;
        print_spoken(spoken, output)?;
    }
    match &version.end {
        Some(end) => output.line(format_args!("retired   {}", change_text(end, output))),
        None => output.line("current"),
    }
}

fn change_text(change: &Change, output: &Output) -> String {
    let from = change.origin.map_or(String::new(), |origin| format!(", from {}", origin.as_str()));
    let reason =
        change.reason.as_ref().map_or(String::new(), |reason| format!(", because: {}", one_line(reason)));
    let date = output.instant(change.date);
    format!("by entry {} ({}), {date}{from}{reason}", change.entry, change.name)
}

fn print_spoken(spoken: &Spoken, output: &Output) -> Result<()> {
    let session = spoken.session.as_deref().unwrap_or("no conversation");
    let date = output.minute(spoken.said_at);
    let text = output.one_line(&spoken.text);
    output.line(format_args!("  {} · {session} · {} · {date}: {text}", spoken.reference, spoken.speaker))
}

fn why_json(why: &Why) -> Value {
    let change = |change: &Change| {
        json!({
            "entry": change.entry,
            "date": change.date.to_string(),
            "name": change.name,
            "origin": change.origin,
            "reason": change.reason,
        })
    };
    let spoken = |spoken: &Spoken| {
        json!({
            "ref": spoken.reference.to_string(),
            "speaker": spoken.speaker,
            "said_at": spoken.said_at.to_string(),
            "session": spoken.session,
            "text": spoken.text,
        })
    };
    let version = |version: &Version| {
        let mut value = memory_json(&version.reference, &version.memory, None);
        value["born"] = change(&version.change);
        value["from"] = json!(version.from.as_ref().map(spoken));
        value["place"] = json!(version.place);
        value["rule"] = json!(version.rule);
        value["retired"] = json!(version.end.as_ref().map(change));
        value
    };
    json!({
        "versions": why.versions.iter().map(version).collect::<Vec<_>>(),
        "recalls": why.recalls.iter().map(spoken).collect::<Vec<_>>(),
        "captured": why.captured.iter().map(|m| memory_json(&m.version(), m, None)).collect::<Vec<_>>(),
    })
}
