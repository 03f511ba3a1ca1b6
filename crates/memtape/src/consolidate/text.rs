//! Renders a report as text, with the commands that resolve its findings.

use std::fmt::Write as _;

use memtape_core::consolidation::LOW_CONFIDENCE;
use memtape_core::line::truncated;
use memtape_core::safety::render::neutral_line;
use memtape_core::{Audience, Form, Memory, Ref, Scope};

use super::{Consolidated, Consolidation, Disputed, ReportedMemory, Truncated};
use crate::ledger::percent;

/// Maximum length of a memory's text in a report, in characters.
const TEXT_CHARS: usize = 200;

/// The command that applies the safe part.
pub(super) const SAFE: &str = "memtape consolidate --apply-safe";

/// The parts of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportPart {
    /// The number of memories.
    Stats,
    /// Duplicates.
    Duplicates,
    /// Contradictions.
    Contradictions,
    /// Conflicts between branches.
    Conflicts,
    /// Memories of low confidence.
    LowConfidence,
    /// Memories that were not used.
    Stale,
    /// Expired memories.
    Expired,
}

impl ReportPart {
    /// Every part, in the order of a report.
    pub const ALL: [Self; 7] = [
        Self::Stats,
        Self::Duplicates,
        Self::Contradictions,
        Self::Conflicts,
        Self::LowConfidence,
        Self::Stale,
        Self::Expired,
    ];
}

impl Consolidation {
    /// Renders those of the named parts that have findings, with the commands that resolve them.
    #[must_use]
    pub fn render(&self, parts: &[ReportPart]) -> String {
        self.sections(parts, true)
    }

    /// Renders the same without commands, for readers who cannot run any.
    #[must_use]
    pub fn brief(&self, parts: &[ReportPart]) -> String {
        self.sections(parts, false)
    }

    fn sections(&self, parts: &[ReportPart], commands: bool) -> String {
        let sections: Vec<String> = parts.iter().filter_map(|part| self.section(*part, commands)).collect();
        match sections.is_empty() {
            true => "nothing to consolidate\n".into(),
            false => sections.join("\n"),
        }
    }

    fn section(&self, part: ReportPart, commands: bool) -> Option<String> {
        match part {
            ReportPart::Stats => Some(self.stats()),
            ReportPart::Duplicates => grouped("Duplicates", &self.duplicates, commands).map(|mut text| {
                if self.safe > 0 && commands && self.is_owner_s {
                    let safe = count(self.safe, "duplicate", "duplicates");
                    let _ = writeln!(text, "  {safe} can be removed safely: `{SAFE}`");
                }
                text
            }),
            ReportPart::Contradictions => grouped("Contradictions", &self.contradictions, commands),
            ReportPart::Conflicts => self.disputed(commands),
            ReportPart::LowConfidence => listed(
                &format!("Low confidence (below {}%)", percent(LOW_CONFIDENCE)),
                &self.low_confidence,
                commands,
            ),
            ReportPart::Stale => {
                listed(&format!("Not used for {} days", self.stale_days), &self.stale, commands)
            }
            ReportPart::Expired => listed("Expired", &self.expired, commands),
        }
    }

    fn disputed(&self, commands_shown: bool) -> Option<String> {
        let mut text = headed("Open conflicts", self.conflicts.total())?;
        for Disputed { reference, source, ours, theirs, commands } in &self.conflicts.shown {
            let source = shown(source.as_deref().unwrap_or("another branch"));
            let _ = writeln!(text, "- {} with {source}", shown(&reference.to_string()));
            let _ = writeln!(text, "    ours    {}", side(ours.as_ref()));
            let _ = writeln!(text, "    theirs  {}", side(theirs.as_ref()));
            for command in commands.iter().filter(|_| commands_shown) {
                let _ = writeln!(text, "      {command}");
            }
        }
        and_more(&mut text, "", self.conflicts.more);
        if !commands_shown || !self.is_owner_s {
            text.push_str("  ours is current until the owner resolves the conflict\n");
        }
        Some(text)
    }

    fn stats(&self) -> String {
        let of = |form: Form| self.considered.get(form.as_str()).copied().unwrap_or_default();
        let facts = count(of(Form::LEDGER), "fact", "facts");
        let lifetimes: Vec<String> = self.lifetimes.iter().map(|(name, n)| format!("{n} {name}")).collect();
        let lifetimes =
            if lifetimes.is_empty() { String::new() } else { format!(" ({})", lifetimes.join(", ")) };
        let sure =
            self.confidence.map_or(String::new(), |sure| format!(", average confidence {}%", percent(sure)));
        let statements = count(of(Form::STATEMENTS), "statement", "statements");
        let lines = count(of(Form::ZONE), "line or note", "lines and notes");
        format!("{facts}{lifetimes}{sure}; {statements}; {lines}\n")
    }
}

fn grouped(title: &str, groups: &Truncated<Truncated<ReportedMemory>>, commands: bool) -> Option<String> {
    let mut text = headed(title, groups.total())?;
    for group in &groups.shown {
        for (n, item) in group.shown.iter().enumerate() {
            write_item(&mut text, if n == 0 { "- " } else { "  " }, item, commands);
        }
        and_more(&mut text, "  ", group.more);
    }
    and_more(&mut text, "", groups.more);
    Some(text)
}

fn listed(title: &str, items: &Truncated<ReportedMemory>, commands: bool) -> Option<String> {
    let mut text = headed(title, items.total())?;
    items.shown.iter().for_each(|item| write_item(&mut text, "- ", item, commands));
    and_more(&mut text, "", items.more);
    Some(text)
}

fn headed(title: &str, total: usize) -> Option<String> {
    (total > 0).then(|| format!("{title}: {total}\n"))
}

fn and_more(text: &mut String, indent: &str, more: usize) {
    if more > 0 {
        let _ = writeln!(text, "{indent}and {more} more");
    }
}

/// Writes `- ledger:0123456789abcdef@7 user prefers tea [work, 60%]`, with its commands below it.
fn write_item(text: &mut String, bullet: &str, item: &ReportedMemory, commands: bool) {
    let _ = writeln!(text, "{bullet}{} {}", item.reference, described(item));
    for command in item.commands.iter().filter(|_| commands) {
        let _ = writeln!(text, "      {command}");
    }
}

/// Returns a side of a conflict.
fn side(item: Option<&ReportedMemory>) -> String {
    item.map_or_else(|| "(deleted)".to_owned(), described)
}

/// Returns `user prefers tea [work, 60%]`.
fn described(item: &ReportedMemory) -> String {
    let statement = item.text.as_deref().map_or_else(|| "(confidential)".into(), shown);
    let mut more: Vec<String> = item.place.iter().map(|place| shown(place)).collect();
    more.extend(item.confidence.map(|confidence| format!("{}%", percent(confidence))));
    if item.scope.starts_with("channel:") {
        more.push(item.scope.clone());
    }
    if item.quarantined.is_some() {
        more.push("quarantined".into());
    }
    let more = if more.is_empty() { String::new() } else { format!(" [{}]", more.join(", ")) };
    format!("{statement}{more}")
}

/// Returns a text on one line, with prompt markup neutralised.
fn shown(text: &str) -> String {
    truncated(&neutral_line(text), TEXT_CHARS, "…").into_owned()
}

fn count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Returns the message of a commit that applies the safe part.
pub(super) fn message(done: &Consolidated) -> String {
    let duplicates = (done.duplicates > 0).then(|| count(done.duplicates, "duplicate", "duplicates"));
    let expired = (done.expired > 0).then(|| format!("{} expired", done.expired));
    format!("consolidate: {}", duplicates.into_iter().chain(expired).collect::<Vec<_>>().join(", "))
}

/// The audience to which commands are shown.
pub(super) struct Asking<'a> {
    audience: &'a Audience,
    /// The flags that make a command run for the same audience on the same branch.
    flags: String,
}

impl<'a> Asking<'a> {
    pub(super) fn new(audience: &'a Audience, branch: Option<&str>) -> Self {
        let mut flags = String::new();
        if let Some(branch) = branch {
            let _ = write!(flags, " --branch {branch}");
        }
        if let Some(session) = audience.session() {
            let _ = write!(flags, " --session {}", quoted(&session.to_string()));
        }
        if let Some(user) = audience.user() {
            let _ = write!(flags, " --user {}", quoted(&user.to_string()));
        }
        Self { audience, flags }
    }

    /// Returns a command about a memory; `None` if the audience may not change it. Audiences other than the
    /// owner change only the memories of their chat and their own.
    fn command(&self, command: &str, memory: &Memory) -> Option<String> {
        let scope = Scope::from_label(&memory.scope).unwrap_or_default();
        let is_own = self.audience.scopes().is_none_or(|own| scope != Scope::Global && own.contains(&scope));
        is_own.then(|| format!("memtape {command} {}{}", memory.version(), self.flags))
    }

    pub(super) fn forget(&self, memory: &Memory) -> Vec<String> {
        self.command("forget", memory).into_iter().collect()
    }

    pub(super) fn deprecate(&self, memory: &Memory) -> Vec<String> {
        self.command("fact deprecate", memory).into_iter().collect()
    }

    /// Returns the commands to review a memory: a fact is confirmed or deprecated, any other memory
    /// forgotten.
    pub(super) fn review(&self, memory: &Memory) -> Vec<String> {
        match memory.form {
            Form::LEDGER => {
                let confirm = self.command("fact confirm", memory);
                confirm.into_iter().chain(self.deprecate(memory)).collect()
            }
            _ => self.forget(memory),
        }
    }

    /// Returns the commands that resolve a conflict; only the owner can.
    pub(super) fn resolve(&self, reference: &Ref) -> Vec<String> {
        if *self.audience != Audience::owner() {
            return Vec::new();
        }
        let command = format!("memtape resolve {}{}", quoted(&reference.to_string()), self.flags);
        ["--ours", "--theirs"].map(|side| format!("{command} {side}")).to_vec()
    }

    /// Returns the command for expired memories: the owner applies the safe part, for others they are hidden
    /// anyway.
    pub(super) fn expire(&self) -> Vec<String> {
        if self.audience.is_owner() { vec![SAFE.to_owned()] } else { Vec::new() }
    }
}

/// Returns a word of a command line, in quotes if a shell would split or expand it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-:.@%/+,=".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
