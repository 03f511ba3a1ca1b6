//! Everything that is remembered, newest first, by form, scope, age, origin and confidence, and by its words.

use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};
use memtape::listing::query_terms;
use memtape::{Error, Form, Layer, Memory, MemoryFilter, MemoryId, Origin, Result};

use crate::page::Page;
use crate::{layout, parts};

/// Maximum number of memories on a page.
const ROWS: usize = 50;
/// The fields of the request that choose the memories.
const OWN: [&str; 9] = ["q", "form", "layer", "scope", "origin", "age", "confidence", "special", "before"];

const LAYERS: [(&str, &str, Layer); 3] = [
    ("global", "the workspace", Layer::Global),
    ("user", "users", Layer::User),
    ("chat", "chats", Layer::Chat),
];
/// Ages as a choice: the name, and the least and the greatest number of days.
const AGES: [(&str, &str, Option<i64>, Option<i64>); 5] = [
    ("1d", "up to a day", None, Some(1)),
    ("7d", "up to a week", None, Some(7)),
    ("30d", "up to 30 days", None, Some(30)),
    ("over30d", "over 30 days", Some(30), None),
    ("over180d", "over 180 days", Some(180), None),
];
const CONFIDENCES: [(&str, &str, Option<f64>, Option<f64>); 3] = [
    ("sure", "at least 80 %", Some(0.8), None),
    ("below80", "below 80 %", None, Some(0.8)),
    ("below70", "below 70 %", None, Some(0.7)),
];

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    let listing = listing(page)?;
    let searches_nothing = page.field("q").is_some() && listing.terms.is_empty();
    let mut memories = match searches_nothing {
        true => Vec::new(),
        false => page.workspace.newest_first(&listing, &page.at())?,
    };
    let has_more = memories.len() > ROWS;
    memories.truncate(ROWS);
    let last = memories.last().filter(|_| has_more).map(|memory| memory.id.number().to_string());
    let older = last.map(|last| page.link_to_self(&OWN, &[("before", &last)]));
    let first = page.field("before").map(|_| page.link_to_self(&OWN[..8], &[]));
    let main = html! {
        (filter(page))
        @if searches_nothing {
            p.note { "The search has no word that is indexed: use other words." }
        } @else if memories.is_empty() {
            p.note { "No memories, as far as these filters and this point show." }
        }
        ol.rows {
            @for memory in &memories {
                (row(page, memory))
            }
        }
        (parts::pages(first.as_deref(), older.as_deref()))
    };
    Ok(layout::frame(page, "Memories", &main))
}

/// Returns a memory as a row of a list.
pub(crate) fn row(page: &Page<'_>, memory: &Memory) -> Markup {
    html! {
        li.row data-row {
            span.when { (parts::date(page, memory.said_at.unwrap_or(memory.created_at))) }
            span.what { (parts::labels(memory)) }
            a.said href=(parts::memory_link(page, &memory.reference())) { (parts::memory_line(memory)) }
            span.where { (memory.version().to_string()) }
        }
    }
}

fn listing(page: &Page<'_>) -> Result<MemoryFilter> {
    let unknown = |what: &str, value: &str| Error::Invalid(format!("unknown {what} {value:?}"));
    let form = page
        .field("form")
        .map(|name| Form::all().find(|form| form.as_str() == name).ok_or_else(|| unknown("form", name)));
    let layer = page.field("layer").and_then(|name| LAYERS.iter().find(|(known, ..)| *known == name));
    let age = page.field("age").and_then(|name| AGES.iter().find(|(known, ..)| *known == name));
    let confidence =
        page.field("confidence").and_then(|name| CONFIDENCES.iter().find(|(known, ..)| *known == name));
    let now = page.snapshot().point().instant;
    let ago = |days: Option<i64>| days.and_then(|days| before(now, days));
    Ok(MemoryFilter {
        audience: page.audience.clone(),
        form: form.transpose()?,
        layer: layer.map(|(.., layer)| *layer),
        scope: page.field("scope").map(str::to_owned),
        origin: page.field("origin").map(str::parse::<Origin>).transpose()?,
        since: age.and_then(|(.., most)| ago(*most)),
        until: age.and_then(|(_, _, least, _)| ago(*least)),
        confidence_min: confidence.and_then(|(_, _, least, _)| *least),
        confidence_below: confidence.and_then(|(.., below)| *below),
        is_quarantined: page.field("special") == Some("quarantined"),
        terms: page.field("q").map(query_terms).unwrap_or_default(),
        before: page.request.fields.number("before").map(MemoryId::from_number),
        limit: ROWS + 1,
    })
}

fn before(now: Timestamp, days: i64) -> Option<Timestamp> {
    now.checked_sub(SignedDuration::from_hours(days * 24)).ok()
}

fn filter(page: &Page<'_>) -> Markup {
    let choice = |name: &'static str, title: &str, any: &str, options: &[(&str, &str)]| {
        html! {
            label {
                (title) " "
                select name=(name) {
                    option value="" { (any) }
                    @for (value, text) in options {
                        option value=(value) selected[page.field(name) == Some(*value)] { (text) }
                    }
                }
            }
        }
    };
    let forms: Vec<_> = Form::all().map(|form| (form.as_str(), parts::form_name(form))).collect();
    let layers = LAYERS.map(|(name, title, _)| (name, title));
    let origins = Origin::ALL.map(|origin| (origin.as_str(), origin.as_str()));
    let ages = AGES.map(|(name, title, ..)| (name, title));
    let confidences = CONFIDENCES.map(|(name, title, ..)| (name, title));
    html! {
        form.filter method="get" action=(page.link("/memories", &[])) role="search" aria-label="Memories" {
            @for (name, value) in page.place.fields() {
                @if !value.is_empty() { input type="hidden" name=(name) value=(value); }
            }
            label.wide {
                "Words "
                input type="search" name="q" value=[page.field("q")] placeholder="all of these words" data-search;
            }
            (choice("form", "Form", "all but messages", &forms))
            (choice("layer", "Of", "everybody", &layers))
            (choice("age", "Age", "any", &ages))
            (choice("origin", "Origin", "any", &origins))
            (choice("confidence", "Confidence", "any", &confidences))
            (choice("special", "Only", "everything", &[("quarantined", "quarantined")]))
            @if let Some(scope) = page.field("scope") {
                label { "Scope " input type="text" name="scope" value=(scope); }
            }
            button type="submit" { "Show" }
        }
    }
}
