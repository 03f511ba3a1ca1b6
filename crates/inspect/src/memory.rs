//! One memory: its text, where it comes from and where it was shown, its history, and what can be done about it.

use maud::{Markup, html};
use memtape::why::{MemoryVersion, QuotedMessage};
use memtape::{BlockName, Error, Fact, FilePath, Form, Lifetime, NotePath, Ref, Result, Scope, Why};

use crate::actions::{button, target, whole};
use crate::page::Page;
use crate::{flow, layout, memories, parts, turn};

/// The length of a text, in bytes, up to which it can be edited on the page.
pub(crate) const EDIT_BYTES: usize = 60_000;
/// Maximum number of versions and of turns in a list.
const LISTED: usize = 50;

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    let named: Ref =
        page.field("ref").ok_or_else(|| Error::Invalid("the page names no memory".into()))?.parse()?;
    let reference = Ref { entry: None, ..named };
    let why = page.workspace.why(&reference, &page.audience, &page.at())?;
    let last = why.versions.last();
    let current: Vec<&MemoryVersion> = why.versions.iter().filter(|version| version.end.is_none()).collect();
    let main = html! {
        p.ref { code { (reference.to_string()) } }
        @for version in &current {
            (now(page, version))
        }
        @if let (true, Some(last)) = (current.is_empty(), last) {
            p.problem { "Not current at this point: " (ended(last)) }
            (parts::block(&last.memory.text))
            p { (parts::labels(&last.memory)) }
        }
        (actions(page, &reference, &current)?)
        (provenance(page, &reference, &why)?)
        (history(page, &reference, &why)?)
    };
    Ok(layout::frame(page, &title(&reference, last), &main))
}

fn title(reference: &Ref, last: Option<&MemoryVersion>) -> String {
    let form = parts::form_name(reference.form);
    let text = last.map(|last| last.memory.text.split_whitespace().collect::<Vec<_>>().join(" "));
    let text = text.unwrap_or_default();
    let (start, more) = parts::cut(&text, 60);
    format!("{}{}: {start}{}", form[..1].to_uppercase(), &form[1..], if more > 0 { "…" } else { "" })
}

fn now(page: &Page<'_>, version: &MemoryVersion) -> Markup {
    let memory = &version.memory;
    html! {
        section.card aria-label="Current text" {
            (parts::block(&memory.text))
            p { (parts::labels(memory)) }
            dl.facts {
                dt { "Scope" }
                dd { a href=(page.link("/memories", &[("scope", &memory.scope)])) { (parts::scope(&memory.scope)) } }
                dt { "Said" } dd { (parts::date(page, memory.said_at.unwrap_or(memory.created_at))) }
                dt { "Recorded" } dd { (parts::date(page, memory.created_at)) " in @" (memory.id.entry()) }
                @if let Some(session) = &memory.session {
                    dt { "Conversation" }
                    dd { a href=(page.link("", &[("session", session)])) { (session) } }
                }
                @if let Some(importance) = memory.importance { dt { "Importance" } dd { (format!("{importance:.2}")) } }
                @if let Some(end) = memory.expires_at {
                    // A permanent memory does not expire: this is the end of its retention.
                    dt { @if memory.lifetime == Lifetime::Permanent { "Kept until" } @else { "Expires" } }
                    dd { (parts::date(page, end)) }
                }
                @if let Some(rule) = &memory.quarantined {
                    dt { "Quarantined" } dd { "no prompt shows it unasked (" (rule) ")" }
                }
            }
        }
    }
}

/// Returns why a version is not current.
fn ended(version: &MemoryVersion) -> String {
    match &version.end {
        Some(end) => {
            let reason = end.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
            format!("removed by {} in @{}{reason}.", end.name, end.entry)
        }
        None => "it has expired.".to_owned(),
    }
}

fn provenance(page: &Page<'_>, reference: &Ref, why: &Why) -> Result<Markup> {
    let from = why.versions.iter().filter_map(|version| version.from.as_ref());
    let mut from: Vec<&QuotedMessage> = from.collect();
    from.dedup();
    let origin = why.versions.first();
    let begin = match reference.form {
        Form::MESSAGES => message_turn(page, reference)?,
        _ => None,
    };
    Ok(html! {
        section aria-labelledby="why" {
            h2 id="why" { "Why does my agent think this?" }
            @if let Some(picture) = flow::picture(page, why) { (picture) }
            @if let Some(begin) = begin {
                p { a href=(page.link("/turn", &[("begin", &begin.to_string())])) { "What the model saw in this turn" } }
            }
            @for said in &from {
                h3 { "The message that it was captured from" }
                (message(page, said))
            }
            @if let (true, Some(first)) = (from.is_empty() && reference.form != Form::MESSAGES, origin) {
                p {
                    "Written by " code { (first.change.name) } " in "
                    a href=(page.link("/change", &[("entry", &first.change.entry.to_string())])) { "@" (first.change.entry) }
                    @if let Some(origin) = first.change.origin { ", origin " (origin.as_str()) }
                    @if let Some(place) = &first.place { ", imported from " (place) }
                    "."
                }
            }
            @if let Some(fact) = origin.and_then(|version| Fact::read(version.memory.clone())) {
                @if let Some(evidence) = &fact.data.evidence {
                    p { "Evidence: " span.text { (evidence) } " (source " (fact.data.source) ")" }
                }
            }
            @if let Some(said) = origin.and_then(|version| version.changed_by.as_ref()) {
                h3 { "The message that changed it" }
                (message(page, said))
            }
            @if let Some(rule) = origin.and_then(MemoryVersion::rule_in_words) {
                p { "Captured by the rule " code { (rule) } "." }
            }
            @if !why.captured.is_empty() {
                h3 { "Captured from it" }
                ol.rows { @for version in &why.captured { (memories::row(page, &version.memory)) } }
            }
            h3 { "Shown to the model in " (parts::counted(why.recalls.len() as u64, "turn", "turns")) }
            ol.rows {
                @for said in why.recalls.iter().rev().take(LISTED) {
                    (shown_in(page, said))
                }
            }
        }
    })
}

/// Returns the beginning of the turn that a message began.
fn message_turn(page: &Page<'_>, reference: &Ref) -> Result<Option<u64>> {
    let Ok(entry) = reference.key.parse() else { return Ok(None) };
    match page.viewer.is_owner {
        true => page.workspace.turn_of(entry, &page.audience, &page.at()),
        false => Ok(None),
    }
}

fn message(page: &Page<'_>, said: &QuotedMessage) -> Markup {
    html! {
        blockquote {
            (parts::block(&said.text))
            footer {
                span.text { (said.speaker) } ", " (parts::date(page, said.said_at))
                @if let Some(session) = &said.session { " in " (session) }
                " · " a href=(parts::memory_link(page, &said.reference)) { "the message" }
            }
        }
    }
}

fn shown_in(page: &Page<'_>, said: &QuotedMessage) -> Markup {
    let entry = said.reference.key.parse().unwrap_or_default();
    html! {
        li.row data-row {
            span.when { (parts::date(page, said.said_at)) }
            span.what { (parts::label("kind", "prompt")) }
            a.said href=(turn::link_of_message(page, entry)) { (parts::line(&said.text)) }
            span.where { (said.session.as_deref().unwrap_or_default()) }
        }
    }
}

fn history(page: &Page<'_>, reference: &Ref, why: &Why) -> Result<Markup> {
    let seen = match page.offers_actions() {
        true => page.workspace.last_change(&whole(reference), &page.audience, &page.at())?,
        false => 0,
    };
    let mut before: Option<&MemoryVersion> = None;
    let mut rows = Vec::new();
    for version in &why.versions {
        rows.push((version, before.replace(version)));
    }
    Ok(html! {
        section aria-labelledby="history" {
            h2 id="history" { "History" }
            ol.versions reversed {
                @for (version, before) in rows.iter().rev().take(LISTED) {
                    li {
                        p {
                            a href=(page.link("/change", &[("entry", &version.change.entry.to_string())])) {
                                "@" (version.change.entry)
                            }
                            " " (parts::date(page, version.change.date)) " " code { (version.change.name) }
                            @if let Some(origin) = version.change.origin { " by " (origin.as_str()) }
                            @if let Some(reason) = &version.change.reason { ": " span.text { (reason) } }
                        }
                        @match before {
                            Some(before) => (parts::difference(&before.memory.text, &version.memory.text)),
                            None => (parts::difference("", &version.memory.text)),
                        }
                        @if version.end.is_some() {
                            p.note { (ended(version)) }
                            (restore(page, version, seen))
                        }
                    }
                }
            }
        }
    })
}

/// Returns the form that restores a version, in place of the last change that the page has seen.
fn restore(page: &Page<'_>, version: &MemoryVersion, seen: u64) -> Markup {
    let is_slot = [Form::LEDGER, Form::BLOCKS, Form::NOTES, Form::FILES].contains(&version.reference.form);
    let may = page.offers_actions() && (is_slot && is_own(page, version) || page.viewer.is_owner);
    if !may || version.reference.form == Form::MESSAGES || version.memory.key.starts_with("proposed/") {
        return html! {};
    }
    let reference = Ref { entry: None, ..version.reference.clone() };
    html! {
        details.action {
            summary { "Restore this version…" }
            form method="post" action=(target("restore")) {
                (page.action_fields(&parts::memory_link(page, &reference)))
                input type="hidden" name="ref" value=(version.reference.to_string());
                input type="hidden" name="seen" value=(seen);
                @if version.reference.form == Form::NOTES {
                    p { "One commit makes the whole note as it was at @" (version.change.entry) " on " (page.place.branch) "." }
                } @else if is_slot {
                    p { "One commit makes this text current again on " (page.place.branch) "." }
                } @else {
                    p { "One commit takes back everything that the change which removed it did on " (page.place.branch) "." }
                }
                (button("Restore", "primary"))
            }
        }
    }
}

/// Returns whether the viewer may change a memory: the owner every one, others those of their chat and their own.
fn is_own(page: &Page<'_>, version: &MemoryVersion) -> bool {
    page.audience.may_remove(&Scope::from_label(&version.memory.scope).unwrap_or_default())
}

fn actions(page: &Page<'_>, reference: &Ref, current: &[&MemoryVersion]) -> Result<Markup> {
    if page.viewer.is_read_only {
        return Ok(html! { p.note { "This token may only read." } });
    }
    if page.place.entry.is_some() {
        return Ok(html! { p.note { "This is the past: go back to now to change the memory." } });
    }
    if page.place.branch != page.place.current {
        return Ok(switch(page));
    }
    // The form names the last one: if another is added, it is another memory.
    let Some(version) = current.iter().max_by_key(|version| version.memory.id) else { return Ok(html! {}) };
    if !is_own(page, version) && reference.form != Form::MESSAGES {
        return Ok(html! { p.note { "It belongs to the whole workspace: only the owner can change it." } });
    }
    Ok(match reference.form {
        Form::MESSAGES => html! {
            p.note {
                "A message is the record of what was said and cannot be forgotten. "
                code { "memtape scan --redact" } " erases secrets in it."
            }
        },
        Form::BLOCKS if reference.key.starts_with("proposed/") => html! {
            p { a href=(page.link("/review", &[])) { "Approve or reject this proposal" } }
        },
        Form::LEDGER => {
            let object = Fact::read(version.memory.clone()).map(|fact| fact.data.object).unwrap_or_default();
            let seen = version.memory.id.entry();
            html! {
                div.actions {
                    (forget(page, version, "The fact is removed; its history keeps it."))
                    (edit(page, reference, "fact", object.as_bytes(), seen, "The new value replaces this one."))
                }
            }
        }
        Form::BLOCKS => html! {
            div.actions {
                (forget(page, version, "The block is empty afterwards; its history keeps its value."))
                @if BlockName::new(&reference.key).is_ok() {
                    (edit(page, reference, "block", version.memory.text.as_bytes(), version.memory.id.entry(), "The new value replaces this one."))
                }
            }
        },
        Form::NOTES => note(page, reference, version)?,
        Form::FILES => {
            let file = page.snapshot().files().read(&FilePath::new(&reference.key)?, &page.at())?.bytes;
            html! {
                div.actions {
                    (forget(page, version, "The file is deleted; its history keeps it."))
                    (edit(page, reference, "file", &file, version.memory.id.entry(), "The new text replaces the file."))
                }
            }
        }
        _ => html! { div.actions { (forget(page, version, "It is removed; its history keeps it.")) } },
    })
}

fn note(page: &Page<'_>, reference: &Ref, version: &MemoryVersion) -> Result<Markup> {
    let Some(path) = NotePath::of_key(&reference.key) else { return Ok(html! {}) };
    let bytes = page.snapshot().notes().read(&path, &page.at())?.bytes();
    let seen = page.workspace.last_change(&whole(reference), &page.audience, &page.at())?;
    Ok(html! {
        div.actions {
            (forget(page, version, "The text of this section is removed from its note; the rest stays."))
            (edit(page, reference, "note", &bytes, seen, &format!("The new text replaces the whole note {path}.")))
        }
    })
}

fn forget(page: &Page<'_>, version: &MemoryVersion, what: &str) -> Markup {
    let reference = Ref { entry: None, ..version.reference.clone() };
    html! {
        details.action {
            summary { "Forget…" }
            form method="post" action=(target("forget")) {
                (page.action_fields(&parts::memory_link(page, &reference)))
                input type="hidden" name="ref" value=(reference.to_string());
                input type="hidden" name="seen" value=(version.memory.id.entry());
                p { (what) " This is one commit on branch " (page.place.branch) ". Earlier points still show it, and it can be undone." }
                label { "Reason (optional) " input type="text" name="reason" autocomplete="off" maxlength="500"; }
                (button("Forget", "danger"))
            }
        }
    }
}

/// Returns the form that replaces a text, unless it is too long or not UTF-8.
fn edit(page: &Page<'_>, reference: &Ref, action: &str, bytes: &[u8], seen: u64, what: &str) -> Markup {
    let text = std::str::from_utf8(bytes).ok();
    html! {
        details.action {
            summary { "Edit…" }
            @if bytes.len() > EDIT_BYTES {
                p.note { "The text is too long to edit here: use an editor or the command line." }
            } @else if text.is_none() {
                p.note { "The text is not UTF-8: use an editor or the command line." }
            }
            @if let Some(text) = text.filter(|text| text.len() <= EDIT_BYTES) {
                form method="post" action=(target(action)) {
                    (page.action_fields(&parts::memory_link(page, reference)))
                    input type="hidden" name="ref" value=(reference.to_string());
                    input type="hidden" name="seen" value=(seen);
                    p { (what) " This is one commit on branch " (page.place.branch) ", and it can be undone." }
                    label {
                        "Text"
                        // A line end right after the tag is not part of the text.
                        textarea name="text" rows="8" required { "\n" (text) }
                    }
                    label { "Reason (optional) " input type="text" name="reason" autocomplete="off" maxlength="500"; }
                    (button("Save", "primary"))
                }
            }
        }
    }
}

/// Returns the form that moves the viewer's conversation to the branch of the page, unless a branch is set for the server
/// (`--branch`).
pub(crate) fn switch(page: &Page<'_>) -> Markup {
    if page.workspace.branch().is_some() {
        return html! {
            p.note { "The inspector writes to branch " (page.place.current) ", which " code { "--branch" } " sets for the server." }
        };
    }
    html! {
        form.action method="post" action=(target("switch")) {
            (page.action_fields(&page.link_to_self(&["ref", "entry"], &[])))
            input type="hidden" name="branch" value=(page.place.branch);
            p.note {
                "The inspector changes branch " (page.place.current) ". To change " (page.place.branch)
                ", switch to it; other conversations stay where they are."
            }
            (button(&format!("Switch to {}", page.place.branch), "plain"))
        }
    }
}
