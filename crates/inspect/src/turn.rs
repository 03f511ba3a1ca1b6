//! What the model saw in a turn: its prompt, section by section, and what differs from the turn before.

use maud::{Markup, html};
use memtape::{EntryId, Error, Prompt, Report, Result, ShownTurn};

use crate::page::Page;
use crate::{layout, memories, parts};

/// Maximum number of characters of a section, unless it is the one that was asked for.
const SECTION_CHARS: usize = 5_000;
/// Maximum number of characters of the section that was asked for.
const WHOLE_CHARS: usize = 60_000;

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    let begin = page.request.fields.number("begin");
    let begin = begin.ok_or_else(|| Error::Invalid("the page names no turn".into()))?;
    // The link of a message names the message; its turn began just before it.
    let begin = page.workspace.turn_of(begin, &page.audience, &page.at())?.unwrap_or(begin);
    let shown = page.workspace.shown_turn(begin, &page.audience, &page.at())?;
    let before = match shown.previous {
        Some(previous) => page.workspace.shown_turn(previous, &page.audience, &page.at())?.prompt.ok(),
        None => None,
    };
    let main = html! {
        (summary(page, &shown))
        @match &shown.prompt {
            Ok(prompt) => (sections(page, prompt, before.as_ref(), shown.previous)),
            Err(too_small) => p.problem { "No prompt fits: " (too_small.to_string()) },
        }
        h2 { "Recalled for it" }
        @if shown.recalled.is_empty() { p.note { "Nothing was recalled." } }
        ol.rows { @for memory in &shown.recalled { (memories::row(page, memory)) } }
        h2 { "Captured from it" }
        @if shown.captured.is_empty() { p.note { "Nothing was captured." } }
        ol.rows { @for memory in &shown.captured { (memories::row(page, memory)) } }
    };
    Ok(layout::frame(page, &format!("Prompt @{begin}"), &main))
}

/// Returns the page of the turn that a message began.
pub(crate) fn link_of_message(page: &Page<'_>, message: EntryId) -> String {
    match page.viewer.is_owner {
        true => page.link("/turn", &[("begin", &message.to_string())]),
        false => page.link("/memory", &[("ref", &format!("messages:{message}"))]),
    }
}

fn summary(page: &Page<'_>, shown: &ShownTurn) -> Markup {
    let listed = &shown.listed;
    html! {
        section.card aria-label="Turn" {
            @if let Some(said) = &listed.message {
                blockquote {
                    (parts::block(&said.text))
                    footer { span.text { (said.speaker) } ", " (parts::date(page, said.said_at)) " · "
                        a href=(parts::memory_link(page, &said.reference)) { "the message" } }
                }
            } @else { p.note { "It began without a message." } }
            @if let Some(reply) = &shown.reply {
                blockquote.reply {
                    (parts::block(&reply.text))
                    footer { "The reply, " (parts::date(page, reply.said_at)) " · "
                        a href=(parts::memory_link(page, &reply.reference)) { "the message" } }
                }
            } @else { p.note { "No reply is recorded." } }
            dl.facts {
                dt { "Conversation" } dd { (listed.turn.session.as_deref().unwrap_or_default()) }
                dt { "Branch" } dd { (shown.branch) }
                dt { "Entries" } dd { "@" (listed.turn.begin) @match listed.turn.closed { Some(closed) => { " to @" (closed) }, None => ", unfinished" } }
                @if let Some(previous) = shown.previous {
                    dt { "Before it" }
                    dd { a href=(page.link("/turn", &[("begin", &previous.to_string())])) { "@" (previous) } }
                }
            }
            p.note {
                "The tape keeps no copy of prompts. This one is assembled again from the tape as of the message, with the \
                 memories that the turn recorded as recalled and the current configuration. Texts that were erased since \
                 are missing."
            }
        }
    }
}

/// A section with the part that the prompt of the turn before had as well.
struct Kept<'a> {
    report: &'a Report,
    /// The number of bytes that are the same from the beginning of the prompt up to here.
    bytes: usize,
    /// Whether the same section of the turn before has the same text.
    is_same: bool,
}

/// Returns every section with the part that belongs to the common beginning of two prompts.
fn kept<'a>(prompt: &'a Prompt, before: Option<&Prompt>) -> Vec<Kept<'a>> {
    let mut is_prefix = before.is_some();
    let mut sections = Vec::new();
    for report in &prompt.sections {
        let other = before.and_then(|before| before.sections.iter().find(|other| other.name == report.name));
        let other = other.map_or("", |other| other.text.as_str());
        let same = match is_prefix {
            true => common(&report.text, other),
            false => 0,
        };
        is_prefix = is_prefix && same == report.text.len() && same == other.len();
        let is_same = before.is_some() && report.text == other;
        sections.push(Kept { report, bytes: same, is_same });
    }
    sections
}

/// Returns the length of the common beginning of two texts, in bytes.
fn common(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    pairs.take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

fn sections(page: &Page<'_>, prompt: &Prompt, before: Option<&Prompt>, previous: Option<EntryId>) -> Markup {
    let sections = kept(prompt, before);
    let whole: usize = sections.iter().map(|kept| kept.report.text.len()).sum();
    let same: usize = sections.iter().map(|kept| kept.bytes).sum();
    let percent = (same * 100).checked_div(whole).unwrap_or_default();
    html! {
        h2 { "The prompt: " (prompt.tokens) " of " (prompt.budget) " tokens" }
        @match previous {
            Some(previous) => p {
                "The first " strong { (percent) " %" } " are the same as in the turn before (@" (previous)
                "), so a provider's cache can keep them. They are marked " span.kept { "like this" } "."
            },
            None => p.note { "It is the first turn of its conversation." },
        }
        div.scroll tabindex="0" role="region" aria-label="Sections" {
            table {
                thead { tr { th scope="col" { "Section" } th.number scope="col" { "Tokens" } th scope="col" { "Share of the budget" } th scope="col" { "Since the turn before" } th scope="col" { "Left out" } } }
                tbody {
                    @for kept in &sections {
                        (section_row(kept, prompt, before.is_some()))
                    }
                }
            }
        }
        @for kept in sections.iter().filter(|kept| !kept.report.text.is_empty()) {
            (section_text(page, kept))
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "tokens of a prompt")]
fn section_row(kept: &Kept<'_>, prompt: &Prompt, has_before: bool) -> Markup {
    let report = kept.report;
    let share = report.tokens as f64 / prompt.budget.max(1) as f64;
    html! {
        tr {
            th scope="row" { @if report.text.is_empty() { (report.name) } @else { a href={ "#" (report.name) } { (report.name) } } }
            td.number { (report.tokens) }
            td { (parts::bar(&[("plain", share)])) (format!("{:.1} %, of {} % reserved", share * 100.0, report.share)) }
            td {
                @if !has_before { "" }
                @else if kept.is_same { (parts::label("plain", "same")) }
                @else { (parts::label("warn", "changed")) }
            }
            td { (report.cut.as_deref().unwrap_or_default()) }
        }
    }
}

fn section_text(page: &Page<'_>, kept: &Kept<'_>) -> Markup {
    let report = kept.report;
    let is_asked = page.field("section") == Some(report.name);
    let most = if is_asked { WHOLE_CHARS } else { SECTION_CHARS };
    let (text, more) = parts::cut(&report.text, most);
    let (same, rest) = text.split_at(kept.bytes.min(text.len()));
    html! {
        section.section aria-labelledby=(report.name) {
            h3 id=(report.name) { (report.name) " " small { (report.tokens) " tokens" } }
            pre.text { @if !same.is_empty() { span.kept { (same) } } (rest) }
            @if more > 0 {
                p.note {
                    (more) " more characters. "
                    @if !is_asked {
                        a href={ (page.link_to_self(&["begin"], &[("section", report.name)])) "#" (report.name) } { "Show more" }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_beginning_ends_at_a_character() {
        for (one, other, bytes) in
            [("", "", 0), ("abc", "abd", 2), ("aé", "aè", 1), ("äb", "äb", 3), ("ab", "abc", 2)]
        {
            assert_eq!(common(one, other), bytes, "{one:?} {other:?}");
        }
    }
}
