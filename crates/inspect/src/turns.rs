//! The turns, newest first: which message a model was asked, and how much it recalled and captured.

use maud::{Markup, html};
use memtape::{ListedTurn, Result, Session, TurnQuestion};

use crate::page::Page;
use crate::{actions, layout, parts};

/// Maximum number of turns on a page.
const TURNS: usize = 50;

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    let question = TurnQuestion {
        audience: page.audience.clone(),
        session: page.field("session").map(Session::parse).transpose()?,
        is_open: page.field("type") == Some("open"),
        before: page.request.fields.number("before"),
        limit: TURNS,
    };
    let turns = page.workspace.turns(&question, &page.at())?;
    let last = turns.last().filter(|_| turns.len() == TURNS).map(|listed| listed.turn.begin.to_string());
    let older = last.map(|last| page.link_to_self(&["session", "type"], &[("before", &last)]));
    let first = question.before.map(|_| page.link_to_self(&["session", "type"], &[]));
    let main = html! {
        form.filter method="get" action=(page.link("/turns", &[])) {
            @for (name, value) in page.place.fields() {
                @if !value.is_empty() { input type="hidden" name=(name) value=(value); }
            }
            label {
                "Conversation "
                input type="text" name="session" value=[page.field("session")] placeholder="any" autocomplete="off" data-search;
            }
            label {
                "Which "
                select name="type" {
                    option value="" { "all turns" }
                    option value="open" selected[question.is_open] { "unfinished turns" }
                }
            }
            button type="submit" { "Show" }
        }
        @if turns.is_empty() { p.note { "No turns, as far as these filters and this point show." } }
        ol.rows { @for listed in &turns { (row(page, listed)) } }
        (parts::pages(first.as_deref(), older.as_deref()))
    };
    Ok(layout::frame(page, "Prompts", &main))
}

/// Returns a turn as a row of a list.
pub(crate) fn row(page: &Page<'_>, listed: &ListedTurn) -> Markup {
    let text = listed.message.as_ref().map_or("(no message)", |said| said.text.as_str());
    let session = listed.turn.session.as_deref().unwrap_or_default();
    let counters = listed.counters;
    html! {
        li.row data-row {
            span.when { (parts::date(page, listed.date)) }
            span.what {
                @if listed.turn.closed.is_none() { (parts::label("warn", "unfinished")) }
                @if counters.recall_hit > 0 { (parts::label("good", "recalled")) }
                @if counters.capture_saved > 0 { (parts::label("plain", &format!("captured {}", counters.capture_saved))) }
                @if actions::is_task(session) { (parts::label("plain", "task")) }
            }
            @if page.viewer.is_owner {
                a.said href=(page.link("/turn", &[("begin", &listed.turn.begin.to_string())])) { (parts::line(text)) }
            } @else {
                span.said { (parts::line(text)) }
            }
            span.where { "@" (listed.turn.begin) " · " (session) }
        }
    }
}
