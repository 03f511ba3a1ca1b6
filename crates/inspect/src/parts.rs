//! Parts of pages: dates, references, labels, bars and differences.

use jiff::Timestamp;
use maud::{Markup, html};
use memtape::{Form, Memory, Ref, Sensitivity};
use similar::{ChangeTag, TextDiff};

use crate::page::Page;

/// Maximum number of characters of a text in a list.
pub(crate) const LINE_CHARS: usize = 280;
/// Maximum number of characters of a text on its own page.
pub(crate) const TEXT_CHARS: usize = 20_000;
/// The length of a text, in bytes, up to which a difference is shown by words.
const WORDS_BYTES: usize = 20_000;
/// The similarity of two texts from which on their difference is shown by words, from 0 to 1.
const SIMILAR: f32 = 0.6;
/// Maximum number of changes that are shown of one difference.
const CHANGES_MAX: usize = 2_000;

/// Returns an instant in the time zone of the workspace.
pub(crate) fn date(page: &Page<'_>, at: Timestamp) -> Markup {
    let zoned = at.to_zoned(page.workspace.time_zone().clone());
    html! { time datetime=(at.to_string()) { (zoned.strftime("%Y-%m-%d %H:%M")) } }
}

/// Returns the instant of the place.
pub(crate) fn moment(page: &Page<'_>) -> Markup {
    date(page, page.snapshot().point().instant)
}

/// Returns a text cut to a number of characters, with the number of those left out.
pub(crate) fn cut(text: &str, chars: usize) -> (&str, usize) {
    match text.char_indices().nth(chars) {
        Some((end, _)) => (&text[..end], text[end..].chars().count()),
        None => (text, 0),
    }
}

/// Returns a text on one line of a list.
pub(crate) fn line(text: &str) -> Markup {
    let (start, more) = cut(text, LINE_CHARS);
    html! { span.text { (start) @if more > 0 { "…" } } }
}

/// Returns a text with its line ends.
pub(crate) fn block(text: &str) -> Markup {
    let (start, more) = cut(text, TEXT_CHARS);
    html! {
        pre.text { (start) }
        @if more > 0 {
            p.note { (more) " more characters are not shown." }
        }
    }
}

/// Returns the text of a memory as a list shows it. A confidential one shows its text only on its own page.
pub(crate) fn memory_line(memory: &Memory) -> Markup {
    let text = memtape::log::text(Some(memory));
    match text.is_empty() {
        true => html! { span.note { "(empty)" } },
        false => line(&text),
    }
}

/// Returns a link to a memory.
pub(crate) fn memory_link(page: &Page<'_>, reference: &Ref) -> String {
    page.link("/memory", &[("ref", &reference.to_string())])
}

/// Returns a label.
pub(crate) fn label(class: &str, text: &str) -> Markup {
    html! { span.label.(class) { (text) } }
}

/// Returns the labels of a memory: its form, category, scope, origin and what is special about it.
pub(crate) fn labels(memory: &Memory) -> Markup {
    html! {
        span.labels {
            (label("form", form_name(memory.form)))
            @if let Some(category) = memory.category {
                (label("plain", category.as_str()))
            }
            (label("plain", &scope(&memory.scope)))
            @if let Some(origin) = memory.origin {
                (label(if origin.is_foreign() { "warn" } else { "plain" }, origin.as_str()))
            }
            @if let Some(confidence) = memory.confidence {
                (label("plain", &format!("{} %", memtape::ledger::percent(confidence))))
            }
            @if memory.sensitivity != Sensitivity::Normal {
                (label("warn", memory.sensitivity.as_str()))
            }
            @if memory.quarantined.is_some() {
                (label("bad", "quarantined"))
            }
            @if memory.form == Form::BLOCKS && memory.key.starts_with("proposed/") {
                (label("warn", "proposed"))
            }
        }
    }
}

/// Returns the name of a form for people.
pub(crate) fn form_name(form: Form) -> &'static str {
    match form {
        Form::LEDGER => "fact",
        Form::STATEMENTS => "statement",
        Form::ZONE => "zone",
        Form::NOTES => "note",
        Form::BLOCKS => "block",
        Form::FILES => "file",
        Form::MESSAGES => "message",
        other => other.as_str(),
    }
}

/// Returns a scope for people: `channel:telegram:chat:42` is `chat telegram:42`.
pub(crate) fn scope(text: &str) -> String {
    match text.split(':').collect::<Vec<_>>()[..] {
        ["channel", channel, kind, id] => format!("{kind} {channel}:{id}"),
        _ => "workspace".to_owned(),
    }
}

/// Returns a bar of which a part is filled, from 0 to 1. The number beside it says the same.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
pub(crate) fn bar(parts: &[(&str, f64)]) -> Markup {
    let mut x = 0;
    let mut rects = Vec::new();
    for (class, share) in parts {
        let width = (share.clamp(0.0, 1.0) * 1000.0).round() as u32;
        rects.push((class, x, width.min(1000 - x)));
        x = (x + width).min(1000);
    }
    html! {
        svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" focusable="false" {
            @for (class, x, width) in rects {
                rect class=(class) x=(x) y="0" width=(width) height="10" {}
            }
        }
    }
}

/// Returns the difference of two texts: by words if they are short, by lines if not.
pub(crate) fn difference(before: &str, after: &str) -> Markup {
    let is_short = before.len().max(after.len()) <= WORDS_BYTES;
    let diff =
        if is_short { TextDiff::from_words(before, after) } else { TextDiff::from_lines(before, after) };
    // The words of two texts that share little are unreadable side by side.
    if is_short && diff.ratio() < SIMILAR {
        return html! {
            pre.text.diff {
                @if !before.is_empty() { del { (before) } }
                @if !before.is_empty() && !after.is_empty() { "\n" }
                @if !after.is_empty() { ins { (after) } }
            }
        };
    }
    // Of a long text, only the lines around a change are of interest.
    let shown: Vec<_> = match is_short {
        true => diff.iter_all_changes().collect(),
        false => diff.grouped_ops(2).iter().flatten().flat_map(|op| diff.iter_changes(op)).collect(),
    };
    html! {
        pre.text.diff {
            @for change in shown.iter().take(CHANGES_MAX) {
                @match change.tag() {
                    ChangeTag::Equal => (change.value()),
                    ChangeTag::Delete => del { (change.value()) },
                    ChangeTag::Insert => ins { (change.value()) },
                }
            }
        }
        @if shown.len() > CHANGES_MAX {
            p.note { "More changes are not shown." }
        }
    }
}

/// Returns the links to the first and the next page of a list.
pub(crate) fn pages(first: Option<&str>, next: Option<&str>) -> Markup {
    html! {
        @if first.is_some() || next.is_some() {
            nav.pages aria-label="Pages of the list" {
                @if let Some(first) = first {
                    a href=(first) { "Newest" }
                }
                @if let Some(next) = next {
                    a href=(next) rel="next" { "Older" }
                }
            }
        }
    }
}

/// Returns a number with its noun.
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
