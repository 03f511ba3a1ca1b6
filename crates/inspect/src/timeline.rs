//! The timeline: what happened, newest first. At the head of the tape it follows what happens.

use maud::{Markup, html};
use memtape::journal::{self, Question};
use memtape::{EntryId, Line, Ref, Result, Session, Workspace};
use serde_json::Value;

use crate::page::Page;
use crate::request::Request;
use crate::viewer::Viewer;
use crate::{Answer, layout, parts};

/// Maximum number of lines on a page.
const LINES: usize = 50;
/// The fields of the request that choose the lines.
const OWN: [&str; 3] = ["type", "session", "before"];

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    let before = page.request.fields.number("before");
    let (shown, has_more) = lines(page, before, 0)?;
    let oldest = shown.last().filter(|_| has_more).map(|line| line.entry.to_string());
    let older = oldest.map(|entry| page.link_to_self(&OWN, &[("before", &entry)]));
    let first = before.map(|_| page.link_to_self(&["type", "session"], &[]));
    let is_live = page.place.entry.is_none() && before.is_none();
    let main = html! {
        (filter(page))
        @if is_live {
            (poll(page, page.place.head))
        }
        @if shown.is_empty() {
            p.note { "Nothing happened yet, as far as these filters and this point show." }
        }
        ol.rows id="lines" {
            @for line in &shown {
                (row(page, line))
            }
        }
        (parts::pages(first.as_deref(), older.as_deref()))
    };
    Ok(layout::frame(page, "Timeline", &main))
}

/// Answers with the lines after an entry, in front of those that the page has, or in place of them if there are too many.
pub(crate) fn live(workspace: &Workspace, viewer: &Viewer, request: &Request) -> Result<Answer> {
    let after = request.fields.number("after").unwrap_or_default();
    let audience = viewer.audience(workspace)?;
    if workspace.journal().for_audience(audience).head()? <= after {
        return Ok(Answer::Nothing);
    }
    let page = Page::open(workspace, viewer, request)?;
    let (new, has_more) = lines(&page, None, after)?;
    // If there are more new lines, those between them and the lines of the page are on the next page.
    let older = new.last().filter(|_| has_more).map(|line| {
        let before = line.entry.to_string();
        let fields = chosen(&page).chain([("before", before.as_str())]);
        page.link("", &fields.collect::<Vec<_>>())
    });
    let html = html! {
        (poll(&page, page.place.head))
        ol id="lines" hx-swap-oob=(if older.is_some() { "innerHTML" } else { "afterbegin" }) {
            @for line in &new {
                (row(&page, line))
            }
            @if let Some(older) = older {
                li { a href=(older) { "Older" } }
            }
        }
    };
    Ok(Answer::Html { status: 200, html: html.into_string() })
}

/// Returns the element that requests what happened after an entry, and is replaced by the answer.
fn poll(page: &Page<'_>, head: EntryId) -> Markup {
    let head = head.to_string();
    let fields: Vec<_> = chosen(page).chain([("after", head.as_str())]).collect();
    html! {
        div id="live" hx-get=(page.link(crate::LIVE, &fields)) hx-trigger="every 2s" hx-swap="outerHTML" {}
    }
}

/// Returns the fields of the request that filter the lines.
fn chosen<'p>(page: &'p Page<'_>) -> impl Iterator<Item = (&'static str, &'p str)> {
    OWN.into_iter().take(2).filter_map(move |name| Some((name, page.field(name)?)))
}

/// Returns the last lines that the request asks for, of entries after one and before another, newest first, and whether
/// there are more. The lines of an entry are on one page; if it has more than a page has room for, the rest is on no page,
/// because the next page has earlier entries.
fn lines(page: &Page<'_>, before: Option<EntryId>, after: EntryId) -> Result<(Vec<Line>, bool)> {
    let question = Question {
        types: page.field("type").map(str::to_owned).into_iter().collect(),
        session: page.field("session").map(Session::parse).transpose()?,
        tail: Some(LINES + 1),
        after,
        before,
        ..Question::default()
    };
    let mut lines = page.snapshot().journal().lines(&question, &page.at())?;
    lines.reverse();
    let has_more = lines.len() > LINES;
    if let Some(cut) = lines.get(LINES).map(|line| line.entry) {
        let whole = lines.iter().position(|line| line.entry == cut).filter(|whole| *whole > 0);
        lines.truncate(whole.unwrap_or(LINES));
    }
    Ok((lines, has_more))
}

fn filter(page: &Page<'_>) -> Markup {
    html! {
        form.filter method="get" action=(page.link("", &[])) {
            @for (name, value) in page.place.fields() {
                @if !value.is_empty() { input type="hidden" name=(name) value=(value); }
            }
            label {
                "What "
                select name="type" {
                    option value="" { "everything" }
                    @for kind in journal::types() {
                        option value=(kind.name) selected[page.field("type") == Some(kind.name)] {
                            (kind.name.replace('_', " "))
                        }
                    }
                }
            }
            label {
                "Conversation "
                input type="text" name="session" value=[page.field("session")] placeholder="any" autocomplete="off" data-search;
            }
            button type="submit" { "Show" }
        }
    }
}

fn row(page: &Page<'_>, line: &Line) -> Markup {
    let (target, text) = (target(page, line), text(line));
    html! {
        li.row data-row {
            span.when { (parts::date(page, line.date)) }
            span.what { (parts::label("kind", &line.kind.replace('_', " "))) }
            a.said href=(target) { (parts::line(&text)) }
            span.where {
                "@" (line.entry)
                @if let Some(branch) = &line.branch { " · " (branch) }
                @if let Some(session) = &line.session { " · " (session) }
            }
        }
    }
}

/// Returns the page of a line: that of its message, or that of its change.
fn target(page: &Page<'_>, line: &Line) -> String {
    match line.kind.as_str() {
        "trigger" | "message_sent" | "message" | "system" if line.session.is_some() => {
            parts::memory_link(page, &Ref::of_message(line.entry))
        }
        _ => page.link("/change", &[("entry", &line.entry.to_string())]),
    }
}

/// Returns what a line reports, in one text.
pub(crate) fn text(line: &Line) -> String {
    let field = |name: &str| line.fields.get(name).map(plain);
    let text = field("preview").or_else(|| field("context")).or_else(|| field("content"));
    let named = line
        .fields
        .iter()
        .filter(|(name, _)| !["preview", "context", "content", "source"].contains(&name.as_str()));
    let named: Vec<_> = match line.kind.as_str() {
        // The action and the parts of a fact read as a sentence.
        "trigger" | "message_sent" | "message" => {
            line.fields.get("from").map(|from| format!("{}:", plain(from))).into_iter().collect()
        }
        _ if line.fields.contains_key("action") => named.map(|(_, value)| plain(value)).collect(),
        _ => named.map(|(name, value)| format!("{name}: {}", plain(value))).collect(),
    };
    let parts: Vec<_> = named.into_iter().chain(text).filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        true => line.kind.replace('_', " "),
        false => parts.join(" "),
    }
}

/// Returns a string as it is, anything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
