//! The `stats` command.

use std::fmt::Display;

use memtape::{At, Form, Workspace};
use serde_json::json;

use super::audience;
use crate::args::AudienceArgs;
use crate::output::{Output, Result, counted};

/// Maximum number of topics that are listed.
const TOPICS_SHOWN: usize = 20;

pub(super) fn stats(workspace: &Workspace, output: &Output, at: &At, asking: &AudienceArgs) -> Result<()> {
    let stats = workspace.stats(&audience(workspace, asking)?, at)?;
    let counts = &stats.counts;
    let facts: u64 = counts.facts.iter().map(|facts| facts.count).sum();
    let [sure, fair, doubtful] = stats.bands;
    if output.json {
        let branches: Vec<_> =
            stats.branches.iter().map(|b| json!({"name": b.name, "persona": b.persona})).collect();
        let statements: serde_json::Map<_, _> =
            counts.statements.iter().map(|(category, n)| (category.to_string(), json!(n))).collect();
        return output.value(&json!({
            "branch": stats.branch,
            "entries": counts.entries,
            "turns": counts.turns,
            "commits": counts.commits,
            "conversations": counts.sessions,
            "branches": branches,
            "memories": counts.memories,
            "facts": {
                "count": facts,
                "topics": stats.topics,
                "lifetimes": stats.lifetimes,
                "confidence": {"sure": sure, "fair": fair, "doubtful": doubtful},
            },
            "statements": statements,
            "zone": {"version": stats.zone_version, "daily_notes": stats.daily_notes},
            "events": counts.events,
            "bytes": {"tape": stats.tape_bytes, "index": stats.index_bytes},
        }));
    }
    let names: Vec<_> = stats.branches.iter().map(|branch| branch.name.as_str()).collect();
    output.line(format_args!("branches   {}: {}", names.len(), names.join(", ")))?;
    output.line(format_args!(
        "entries    {} in {}",
        counts.entries,
        counted(counts.sessions, "conversation", "conversations")
    ))?;
    let of = |form: Form| counts.memories.get(form.as_str()).copied().unwrap_or_default();
    output.line(format_args!("messages   {}", of(Form::MESSAGES)))?;
    output.line(format_args!("turns      {}", counts.turns))?;
    output.line(format_args!("commits    {}", counts.commits))?;
    let topics = stats.topics.iter().map(|(topic, n)| (if topic.is_empty() { "general" } else { topic }, n));
    // Some programs have a topic for each fact.
    let mut topics: Vec<_> = topics.collect();
    let more = topics.len().saturating_sub(TOPICS_SHOWN);
    if more > 0 {
        topics.sort_by(|a, b| b.1.cmp(a.1));
        topics.truncate(TOPICS_SHOWN);
    }
    let more = if more > 0 { format!(", {more} more topics") } else { String::new() };
    output.line(format_args!("facts      {facts}{}{more}", listed(topics)))?;
    if facts > 0 {
        output.line(format_args!("  live     {}", listed(&stats.lifetimes).trim_start_matches(": ")))?;
        output.line(format_args!("  are      sure {sure}, fair {fair}, doubtful {doubtful}"))?;
    }
    let statements: u64 = counts.statements.values().sum();
    output.line(format_args!("statements {statements}{}", listed(&counts.statements)))?;
    let version = stats.zone_version.map_or_else(String::new, |version| format!("version {version}: "));
    output.line(format_args!(
        "zone       {version}{}, {}",
        counted(of(Form::ZONE), "line or note", "lines and notes"),
        counted(stats.daily_notes as u64, "day", "days")
    ))?;
    output.line(format_args!("notes      {}", counted(of(Form::NOTES), "section", "sections")))?;
    output.line(format_args!("files      {}", of(Form::FILES)))?;
    output.line(format_args!("blocks     {}", of(Form::BLOCKS)))?;
    if !counts.events.is_empty() {
        output.line(format_args!("events     {}", listed(&counts.events).trim_start_matches(": ")))?;
    }
    let index = stats.index_bytes.map_or_else(String::new, |bytes| format!(", index {bytes}"));
    output.line(format_args!("bytes      tape {}{index}", stats.tape_bytes))
}

/// Formats counts as `: preference 2, fact 1`, or as an empty string if there are none.
fn listed<'a, K: Display>(counts: impl IntoIterator<Item = (K, &'a u64)>) -> String {
    let counts: Vec<_> = counts.into_iter().map(|(what, n)| format!("{what} {n}")).collect();
    if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) }
}
