//! The recall debugger: a question as any audience, at any point, with two settings side by side.

use maud::{Markup, html};
use memtape::{
    Audience, Backend, Budget, Error, Form, Hit, Left, Recall, Recalled, Result, Session, Terms, Weights,
};

use crate::page::Page;
use crate::{layout, parts};

/// The number of hits that are compared to count those hidden from an audience.
const COMPARED: usize = 100;
/// Maximum number of hits of one setting.
const HITS_MAX: usize = 100;

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    let query = page.field("q");
    let found = match query {
        Some(query) => Some(answers(page, query)?),
        None => None,
    };
    let main = html! {
        (question(page))
        @if let (Some(query), Some(answers)) = (query, &found) {
            (gate(page, query))
            div.sides {
                @for answer in answers { (shown(page, answer)) }
            }
        } @else {
            p.note { "Type a question as a person or an agent would ask it. Nothing is written." }
        }
    };
    Ok(layout::frame(page, "Recall", &main))
}

/// One of the two settings.
struct Setting {
    /// What the names of its fields begin with.
    name: &'static str,
    backend: Backend,
    limit: usize,
    unasked: bool,
    total: Option<usize>,
}

/// What a setting finds.
struct Answer {
    setting: Setting,
    recalled: Recalled,
    /// The number of matches that the owner would find and the audience does not; `None` if the owner asks.
    hidden: Option<usize>,
}

/// Returns the settings that the request asks for: the first, and the second if it is switched on.
fn settings(page: &Page<'_>) -> Result<Vec<Setting>> {
    let setting = |name: &'static str| -> Result<Setting> {
        let field = |field: &str| page.field(&format!("{name}{field}"));
        let number = |text: &str| {
            text.parse::<usize>().map_err(|_| Error::Invalid(format!("{text:?} is not a number")))
        };
        let config = &page.workspace.config().recall;
        Ok(Setting {
            name,
            backend: match field("backend") {
                Some("words") => Backend::SqliteFts,
                Some(_) => Backend::Hybrid,
                None => config.backend,
            },
            limit: field("limit").map(number).transpose()?.unwrap_or(config.max_results).min(HITS_MAX),
            unasked: field("for") == Some("prompt"),
            total: field("chars").map(number).transpose()?,
        })
    };
    let mut settings = vec![setting("a_")?];
    if page.field("b_backend").is_some() {
        settings.push(setting("b_")?);
    }
    Ok(settings)
}

/// Returns the audience that the question is asked as.
fn audience(page: &Page<'_>) -> Result<Audience> {
    if !page.viewer.is_owner {
        return Ok(page.audience.clone());
    }
    let session = page.field("session").map(Session::parse).transpose()?;
    page.workspace.audience(session.as_ref(), page.field("user"))
}

fn answers(page: &Page<'_>, query: &str) -> Result<Vec<Answer>> {
    let audience = audience(page)?;
    let forms: Vec<_> = Form::all().filter(|form| page.field("form") == Some(form.as_str())).collect();
    let at = page.place.at(page.workspace)?;
    let mut answers = Vec::new();
    for setting in settings(page)? {
        let recall = Recall {
            audience: audience.clone(),
            forms: forms.clone(),
            backend: Some(setting.backend),
            limit: Some(setting.limit),
            unasked: setting.unasked,
            budget: setting.total.map(|total| Budget { total, each: total }),
            ..Recall::new(query)
        };
        let recalled = page.workspace.recall(&recall, &at)?;
        let hidden = match audience.is_owner() || !page.viewer.is_owner {
            true => None,
            false => {
                let count = |audience: Audience| -> Result<Vec<_>> {
                    let all = Recall { audience, limit: Some(COMPARED), budget: None, ..recall.clone() };
                    Ok(page.workspace.recall(&all, &at)?.hits.iter().map(|hit| hit.memory.id).collect())
                };
                let seen = count(audience.clone())?;
                Some(count(Audience::owner())?.iter().filter(|id| !seen.contains(id)).count())
            }
        };
        answers.push(Answer { setting, recalled, hidden });
    }
    Ok(answers)
}

/// Returns whether a turn would recall anything for the message at all.
fn gate(page: &Page<'_>, query: &str) -> Markup {
    let (needs, floor) = (page.workspace.needs_memory(query), page.workspace.config().recall.floor);
    html! {
        p.note {
            "In a turn, this message needs memory with probability " strong { (format!("{needs:.2}")) }
            @if needs < floor {
                ": below the floor of " (format!("{floor}")) " (recall.floor), so a turn recalls nothing."
            } @else {
                ": at or above the floor of " (format!("{floor}")) " (recall.floor), so a turn recalls."
            }
        }
    }
}

fn question(page: &Page<'_>) -> Markup {
    let config = &page.workspace.config().recall;
    html! {
        form.filter method="get" action=(page.link("/recall", &[])) role="search" aria-label="Recall" {
            @for (name, value) in page.place.fields() {
                @if !value.is_empty() { input type="hidden" name=(name) value=(value); }
            }
            label.wide { "Question " input type="search" name="q" value=[page.field("q")] required data-search; }
            @if page.viewer.is_owner {
                label { "As conversation " input type="text" name="session" value=[page.field("session")] placeholder="the owner" autocomplete="off"; }
                label { "and user " input type="text" name="user" value=[page.field("user")] placeholder="nobody" autocomplete="off"; }
            }
            label {
                "Form "
                select name="form" {
                    option value="" { "all" }
                    @for form in Form::all() {
                        option value=(form.as_str()) selected[page.field("form") == Some(form.as_str())] { (parts::form_name(form)) }
                    }
                }
            }
            @for (name, title, optional) in [("a_", "Setting A", false), ("b_", "Setting B", true)] {
                (setting_fields(page, name, title, optional, config.max_results))
            }
            button type="submit" { "Ask" }
        }
    }
}

fn setting_fields(page: &Page<'_>, name: &str, title: &str, is_optional: bool, limit: usize) -> Markup {
    let field = |field: &str| format!("{name}{field}");
    let backend = page.field(&field("backend")).unwrap_or_default();
    html! {
        fieldset {
            legend { (title) }
            label {
                "Finds by "
                select name=(field("backend")) {
                    @if is_optional {
                        option value="" { "(not used)" }
                    } @else {
                        option value="" { "as configured" }
                    }
                    option value="hybrid" selected[backend == "hybrid"] { "words and meaning" }
                    option value="words" selected[backend == "words"] { "words only" }
                }
            }
            label { "Hits " input type="number" name=(field("limit")) min="1" max=(HITS_MAX) value=[page.field(&field("limit"))] placeholder=(limit); }
            label { "Characters " input type="number" name=(field("chars")) min="1" value=[page.field(&field("chars"))] placeholder="any"; }
            label {
                "For "
                select name=(field("for")) {
                    option value="" { "a search" }
                    option value="prompt" selected[page.field(&field("for")) == Some("prompt")] { "a prompt (trusted texts only)" }
                }
            }
        }
    }
}

fn shown(page: &Page<'_>, answer: &Answer) -> Markup {
    let Answer { setting, recalled, hidden } = answer;
    let title = if setting.name == "a_" { "Setting A" } else { "Setting B" };
    let by = match setting.backend {
        Backend::SqliteFts => "words only",
        Backend::Hybrid => "words and meaning",
    };
    html! {
        section.side aria-label=(title) {
            h2 { (title) ": " (by) ", " (parts::counted(recalled.hits.len() as u64, "hit", "hits")) }
            @if let Some(note) = &recalled.note { p.note { (note) } }
            (left_out(&recalled.left, *hidden))
            ol.hits {
                @for hit in &recalled.hits { (hit_row(page, hit)) }
            }
        }
    }
}

/// Returns how many matches are not shown, by reason.
fn left_out(left: &Left, hidden: Option<usize>) -> Markup {
    let reasons = [
        (left.over_results, "after the last hit (limit)"),
        (left.over_budget, "over the budget of characters"),
        (left.folded, "say the same as a hit"),
        (left.of_user, "over the limit of the user's own (recall.user_layer_results)"),
        (hidden.unwrap_or_default(), "hidden from this audience, of the first 100"),
    ];
    html! {
        ul.cut {
            @for (count, reason) in reasons.iter().filter(|(count, _)| *count > 0) {
                li { strong { (count) } " " (reason) }
            }
        }
    }
}

fn hit_row(page: &Page<'_>, hit: &Hit) -> Markup {
    let Terms { words, meaning, next, answer, session, speaker, day, length, .. } = hit.terms;
    let Terms { relevance, importance, recency, .. } = hit.terms;
    // The parts of the bar add up to the relevance.
    let sum = hit.terms.sum();
    let share = |part: f64| if sum > 0.0 { part / sum * relevance } else { 0.0 };
    let parts_of = [
        ("words", words),
        ("meaning", meaning),
        ("next", next),
        ("answer", answer),
        ("session", session),
        ("speaker", speaker),
        ("day", day),
        ("length", length),
    ];
    let Weights { relevance: for_relevance, importance: for_importance, recency: for_recency } =
        hit.terms.weights;
    let relevance_bar: Vec<_> = parts_of.iter().map(|(name, part)| (*name, share(*part))).collect();
    html! {
        li data-row {
            p {
                strong { (format!("{:.3}", hit.score)) } " "
                a.said href=(parts::memory_link(page, &hit.memory.reference())) { (parts::memory_line(&hit.memory)) }
            }
            p { (parts::labels(&hit.memory)) @if let Some(speaker) = &hit.speaker { " " span.text { (speaker) } } }
            (parts::bar(&relevance_bar))
            details {
                summary { "Terms of the score" }
                dl.terms {
                    @for (name, part) in parts_of {
                        @if part > 0.0 {
                            dt { (parts::label(name, name)) } dd { (format!("{part:.3}")) }
                        }
                    }
                    dt { "relevance" } dd { (format!("{relevance:.3} × {for_relevance:.2}")) (parts::bar(&[("plain", relevance * for_relevance)])) }
                    dt { "importance" } dd { (format!("{importance:.2} × {for_importance:.2}")) (parts::bar(&[("plain", importance * for_importance)])) }
                    dt { "recency" } dd { (format!("{recency:.3} × {for_recency:.2}")) (parts::bar(&[("plain", recency * for_recency)])) }
                    dt { "BM25" } dd { (format!("{:.2}", hit.terms.bm25)) }
                    dt { "cosine" } dd { (hit.terms.cosine.map_or_else(|| "no vector".to_owned(), |cosine| format!("{cosine:.3}"))) }
                    dt { "sure" } dd { (format!("{:.2}", hit.terms.sure)) }
                }
                @if !hit.also.is_empty() {
                    p { "The same as " @for also in &hit.also { a href=(parts::memory_link(page, also)) { (also.to_string()) } " " } }
                }
                @if let Some(newer) = &hit.newer {
                    p { "After " a href=(parts::memory_link(page, &newer.reference)) { (newer.reference.to_string()) }
                        ", which is newer: it has replaced this with probability " (format!("{:.2}", newer.replaces)) "." }
                }
            }
        }
    }
}
