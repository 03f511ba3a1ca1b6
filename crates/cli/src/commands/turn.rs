//! The `turn` and `why` commands.

use memtape::json;
use memtape::turn::Unfinished;
use memtape::why::{ChangeEntry, MemoryVersion, QuotedMessage, Why};
use memtape::{At, Captured, Fact, FinishedTurn, Inbound, Lifetime, Reply, ToolUse, Workspace, calendar};
use serde_json::json;

use super::recall::{left_out, print_hit};
use super::{audience, json_argument, text_or_stdin};
use crate::args::{AudienceArgs, TurnArgs};
use crate::output::{Failure, Output, Result, counted, one_line};

/// Maximum number of clauses that were not captured to list; `--json` lists all.
const DROPPED_SHOWN: usize = 10;

pub(super) fn turn(workspace: &Workspace, output: &Output, args: &TurnArgs) -> Result<()> {
    let inbound = Inbound {
        trigger: args.trigger,
        text: text_or_stdin(args.said())?,
        user: args.speaker.user(&args.session)?,
        name: args.name.clone(),
        reply_to: args.reply_to.clone(),
        said_at: args.date.as_deref().map(|date| workspace.instant(date)).transpose()?,
        offset: args.date.as_deref().and_then(calendar::own_offset),
        // At the terminal the session says so.
        is_owner: None,
    };
    let reply = Reply {
        text: args.reply.as_deref().map(text_or_stdin).transpose()?,
        tools: tools(args)?,
        pending_actions: args.pending.clone(),
    };
    let conversation = workspace.conversation(args.session.clone());
    conversation.check_reply(&reply)?;
    let turn = conversation.turn(&inbound, |_| Ok(reply))?;
    if output.json {
        return output.value(&json::turn(&turn));
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

fn print_turn(turn: &FinishedTurn, output: &Output) -> Result<()> {
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
    if let Some(note) = &turn.recalled.note {
        output.line(note)?;
    }
    if let Some(left) = left_out(&turn.recalled.left) {
        output.line(left)?;
    }
    if let Some(too_small) = turn.too_small {
        output.line(format_args!("\nno prompt: {too_small} (prompt.budget)"))?;
    } else if !turn.memory.is_empty() {
        let chars = counted(turn.counters.prompt_chars, "character", "characters");
        output.line(format_args!("\nin the prompt, {chars}"))?;
        output.text(&turn.memory)?;
    }
    output.line(format_args!("\ncaptured {}", turn.captured.len()))?;
    for captured in &turn.captured {
        print_captured(captured, output)?;
    }
    if !turn.forgotten.is_empty() {
        output.line(format_args!("\nforgotten {}", turn.forgotten.len()))?;
    }
    for memory in &turn.forgotten {
        output.line(format_args!("{}", memory.version()))?;
        output.line(format_args!("  {}", output.one_line_after(2, &memory.text)))?;
    }
    if !turn.copies.is_empty() {
        let count: u64 = turn.copies.iter().map(|copy| 1 + copy.also.len() as u64).sum();
        let memories = counted(count, "other memory, which stays", "other memories, which stay");
        output.line(format_args!("\nstill said by {memories}"))?;
    }
    for copy in &turn.copies {
        print_hit(copy, output)?;
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
        captured.outcome.as_str(),
        captured.category,
        captured.importance,
        captured.confidence
    ))?;
    output.line(format_args!("  {}", output.one_line_after(2, &captured.text)))
}

pub(super) fn why(
    workspace: &Workspace,
    output: &Output,
    at: &At,
    reference: &str,
    asking: &AudienceArgs,
) -> Result<()> {
    let audience = audience(workspace, asking)?;
    let why = workspace.why(&super::reference(reference)?, &audience, at)?;
    if output.json {
        return output.value(&json::why(&why));
    }
    print_why(&why, output)
}

pub(super) fn print_why(why: &Why, output: &Output) -> Result<()> {
    for version in &why.versions {
        print_version(version, output)?;
    }
    for version in &why.captured {
        let removed = if version.end.is_some() { " (removed)" } else { "" };
        output.line(format_args!("captured  {}{removed}", version.reference))?;
        output.line(format_args!("  {}", output.one_line_after(2, &version.memory.text)))?;
    }
    if !why.recalls.is_empty() {
        let recalled = counted(why.recalls.len() as u64, "turn", "turns");
        output.line(format_args!("recalled  by {recalled}"))?;
    }
    for spoken in &why.recalls {
        print_spoken(spoken, output)?;
    }
    Ok(())
}

fn print_version(version: &MemoryVersion, output: &Output) -> Result<()> {
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
            output.line(format_args!("evidence  {}", output.one_line_after(10, evidence)))?;
        }
    }
    if let Some(rule) = version.rule_in_words() {
        output.line(format_args!("rule      {rule}"))?;
    }
    if let Some(place) = &version.place {
        output.line(format_args!("read in   {place}"))?;
    }
    if let Some(spoken) = &version.from {
        output.line("said")?;
        print_spoken(spoken, output)?;
    }
    if let Some(spoken) = &version.changed_by {
        output.line("changed by")?;
        print_spoken(spoken, output)?;
    }
    match &version.end {
        Some(end) => {
            let what = if version.is_superseded { "superseded" } else { "removed  " };
            output.line(format_args!("{what} {}", change_text(end, output)))
        }
        None => output.line("current"),
    }
}

fn change_text(change: &ChangeEntry, output: &Output) -> String {
    let from = change.origin.map_or(String::new(), |origin| format!(", from {}", origin.as_str()));
    let reason =
        change.reason.as_ref().map_or(String::new(), |reason| format!(", because: {}", one_line(reason)));
    let date = output.instant(change.date);
    format!("by entry {} ({}), {date}{from}{reason}", change.entry, change.name)
}

fn print_spoken(spoken: &QuotedMessage, output: &Output) -> Result<()> {
    let session = spoken.session.as_deref().unwrap_or("no conversation");
    let date = output.minute(spoken.said_at);
    let text = output.one_line(&spoken.text);
    let speaker = one_line(&spoken.speaker);
    output.line(format_args!("  {} · {session} · {speaker} · {date}: {text}", spoken.reference))
}
