//! The `recall` and `show` commands.

use jiff::Timestamp;
use memtape::branches::OpenConflict;
use memtape::json;
use memtape::{
    At, Audience, Fact, Form, Hit, Left, Memory, Newer, Recall, Recalled, Ref, Sensitivity, Shown,
    StoredStatement, Terms, Weights, Workspace,
};
use serde_json::{Value, json};

use super::audience;
use super::branches::note_conflicts;
use crate::args::{AudienceArgs, RecallArgs};
use crate::output::{Failure, Output, Result, counted, one_line};
use crate::style::{Line, Role};

pub(super) fn recall(workspace: &Workspace, output: &Output, at: &At, args: &RecallArgs) -> Result<()> {
    let recall = Recall {
        audience: audience(workspace, &args.audience)?,
        forms: args.form.clone(),
        limit: args.limit,
        ..Recall::new(&args.query)
    };
    print(&workspace.recall(&recall, at)?, args.explain, output)
}

/// Prints the result of a recall, best hit first.
pub(super) fn print(recalled: &Recalled, explained: bool, output: &Output) -> Result<()> {
    if output.json {
        let hits: Vec<_> = recalled.hits.iter().map(json::hit).collect();
        let left = json::left(&recalled.left);
        return output.value(&json!({"hits": hits, "left": left, "note": recalled.note}));
    }
    for hit in &recalled.hits {
        print_hit(hit, output)?;
        if explained {
            explain(&hit.terms, output)?;
            if let Some(newer) = &hit.newer {
                explain_order(newer, output)?;
            }
        }
    }
    if let Some(left) = left_out(&recalled.left).filter(|_| explained || recalled.hits.is_empty()) {
        output.note(left);
    }
    match &recalled.note {
        Some(note) => output.line(note),
        None => Ok(()),
    }
}

/// Prints how a score is computed: its weights, the terms of relevance, and the values they derive from.
fn explain(terms: &Terms, output: &Output) -> Result<()> {
    let Weights { relevance, importance, recency } = terms.weights;
    output.line(format_args!(
        "  {:.3} = {relevance:.2} · relevance {:.3} + {importance:.2} · importance {:.2} + {recency:.2} · recency {:.3}",
        terms.score(),
        terms.relevance,
        terms.importance,
        terms.recency
    ))?;
    let cosine = terms.cosine.map_or_else(|| "no vector".to_owned(), |cosine| format!("cosine {cosine:.3}"));
    let parts = [
        ("next turn", terms.next),
        ("question before", terms.answer),
        ("conversation", terms.session),
        ("speaker", terms.speaker),
        ("day", terms.day),
        ("length", terms.length),
    ];
    let parts = parts.iter().filter(|(_, part)| *part > 0.0);
    let parts: String = parts.map(|(name, part)| format!(" + {name} {part:.3}")).collect();
    output.line(format_args!(
        "  relevance: words {:.3} (BM25 {:.2}) + meaning {:.3} ({cosine}){parts}; over the best's {:.3} and squared, and sure {:.2}",
        terms.words, terms.bm25, terms.meaning, terms.best, terms.sure
    ))
}

/// Prints why a newer hit comes first.
fn explain_order(newer: &Newer, output: &Output) -> Result<()> {
    output.line(format_args!(
        "  after {}, which is newer: it answers the query instead with probability {:.2}, and has replaced this with \
         probability {:.2}",
        newer.reference, newer.answers, newer.replaces
    ))
}

/// Formats how many matches are not shown, by reason; `None` if all are shown.
pub(super) fn left_out(left: &Left) -> Option<String> {
    let Left { folded, of_user, over_budget, over_results } = *left;
    let reasons = [
        (
            over_results,
            counted(over_results as u64, "more match (-n for more)", "more matches (-n for more)"),
        ),
        (folded, format!("{folded} that say the same as a match above")),
        (of_user, format!("{of_user} more of the user's own (recall.user_layer_results)")),
        (over_budget, format!("{over_budget} that did not fit (recall.max_prompt_chars)")),
    ];
    let reasons: Vec<_> = reasons.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    (!reasons.is_empty()).then(|| format!("not shown: {}", reasons.join(", ")))
}

/// Prints a hit: one line with its ref and origin, then the text.
pub(super) fn print_hit(hit: &Hit, output: &Output) -> Result<()> {
    let mut words = Vec::new();
    match hit.memory.form {
        Form::STATEMENTS => words.extend(stated(&hit.memory)),
        Form::LEDGER => words.extend(known(&hit.memory)),
        _ => words.extend(hit.memory.session.clone()),
    }
    words.extend(hit.speaker.as_deref().map(one_line));
    words.push(when(&hit.memory, output));
    let head = Line::default().with(Role::Id, hit.reference.to_string());
    let weak = if hit.terms.is_weak() { " (weak)" } else { "" };
    let earlier = if hit.is_earlier() { " (earlier)" } else { "" };
    let contested = if hit.is_contested { " (open conflict)" } else { "" };
    let head = head.text(format!(" · score {:.2}{weak}{earlier}{contested}", hit.score));
    let head = words.into_iter().fold(head, |head, word| {
        let is_scope = word == hit.memory.scope || Some(&word) == hit.memory.session.as_ref();
        head.text(" · ").with(if is_scope { Role::Scope } else { Role::Plain }, word)
    });
    output.styled(&head)?;
    let text = with_image(&hit.memory.text, hit.image.as_deref());
    output.line(format_args!("  {}", output.one_line_after(2, &text)))?;
    for same in &hit.also {
        output.line(format_args!("  also {same}"))?;
    }
    Ok(())
}

/// Returns the category, scope, importance and confidence of a statement.
pub(super) fn stated(memory: &Memory) -> Vec<String> {
    let category = memory.category.map(|category| category.to_string());
    let of = |name: &str, number: Option<f64>| number.map(|number| format!("{name} {number:.2}"));
    [
        category,
        Some(memory.scope.clone()),
        of("importance", memory.importance),
        of("confidence", memory.confidence),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the topic or lifetime, the scope and the confidence of a fact.
pub(super) fn known(memory: &Memory) -> Vec<String> {
    let place = Fact::read(memory.clone()).map(|fact| fact.place().to_owned());
    let sure = memory.confidence.map(|confidence| format!("confidence {confidence:.2}"));
    [place, Some(memory.scope.clone()), sure].into_iter().flatten().collect()
}

/// Returns a text with the caption of its image.
fn with_image(text: &str, image: Option<&str>) -> String {
    match image {
        Some(image) => format!("{text} [image: {image}]").trim_start().to_owned(),
        None => text.to_owned(),
    }
}

/// Formats when a memory was said, or when it was recorded if that is unknown.
fn when(memory: &Memory, output: &Output) -> String {
    match memory.said_at {
        Some(at) => output.minute(at),
        None => format!("recorded {}", output.minute(memory.created_at)),
    }
}

pub(super) fn show(
    workspace: &Workspace,
    output: &Output,
    at: &At,
    reference: &str,
    asking: &AudienceArgs,
) -> Result<()> {
    let audience = audience(workspace, asking)?;
    // A ref contains a colon; the name of a commit does not. The ID of a ledger event names the fact it
    // created.
    let shown = match reference.contains(':') {
        true => workspace.show(&reference.parse().map_err(memtape::Error::from)?, &audience, at)?,
        false => match workspace.show_commit(reference, &audience, at) {
            Ok(commit) => return super::log::print_shown(&commit, output),
            Err(e) => {
                let e = match e.kind() {
                    memtape::ErrorKind::Invalid => not_shown(reference),
                    _ => e.into(),
                };
                let event = Ref { form: Form::LEDGER, key: reference.to_owned(), entry: None };
                let named = || super::reference(reference);
                let found = workspace.show(&event, &audience, at);
                found
                    .or_else(|_| named().and_then(|named| Ok(workspace.show(&named, &audience, at)?)))
                    .map_err(|_| e)?
            }
        },
    };
    print_all(workspace, output, at, &shown, &audience)
}

/// Returns the failure for a text that names neither a memory nor a commit.
fn not_shown(text: &str) -> Failure {
    Failure::Usage(format!(
        "{text:?} names no memory or commit: expected FORM:KEY, the name of a block, @ENTRY, or at least \
         7 digits of a commit id"
    ))
}

/// Prints memories with all their details, and the conflicts that are open about them.
pub(super) fn print_all(
    workspace: &Workspace,
    output: &Output,
    at: &At,
    shown: &[Shown],
    audience: &Audience,
) -> Result<()> {
    let open = workspace.open_conflicts(audience, at)?;
    if output.json {
        let shown = shown.iter().map(|shown| {
            let open = open.get(&shown.memory.reference().to_string()).into_iter().flatten();
            let mut value = json::shown(shown);
            value["conflicts"] = open.map(json::conflict).collect();
            value
        });
        return output.value(&Value::Array(shown.collect()));
    }
    for (n, shown) in shown.iter().enumerate() {
        if n > 0 {
            output.line("")?;
        }
        print_shown(shown, output)?;
    }
    let is_shown = |conflict: &&OpenConflict| {
        let is_it = |shown: &Shown| {
            shown.memory.form == conflict.reference.form && shown.memory.key == conflict.reference.key
        };
        shown.iter().any(is_it)
    };
    note_conflicts(workspace, open.values().flatten().filter(is_shown), output)
}

fn print_shown(shown: &Shown, output: &Output) -> Result<()> {
    let Shown { reference, memory, speaker, image, retired_by, has_ended } = shown;
    output.styled(&Line::default().with(Role::Id, reference.to_string()))?;
    for line in with_image(&memory.text, image.as_deref()).lines() {
        output.line(format!("  {line}").trim_end())?;
    }
    let origin = memory.origin.map_or(String::new(), |origin| format!(", from {}", origin.as_str()));
    let session = memory.session.as_ref().map_or(String::new(), |session| format!(", in {session}"));
    let recorded = output.instant(memory.created_at);
    output.line(format_args!("recorded  entry {}, {recorded}{origin}{session}", memory.id.entry()))?;
    if let Some(speaker) = speaker {
        let said = memory.said_at.map_or(String::new(), |at| format!(", {}", output.instant(at)));
        output.line(format_args!("said      by {}{said}", one_line(speaker)))?;
    }
    let sensitivity = match memory.sensitivity {
        Sensitivity::Normal => String::new(),
        how => format!(" ({how})"),
    };
    let scope = Line::default().text("scope     ").with(Role::Scope, memory.scope.clone());
    output.styled(&scope.text(sensitivity))?;
    if let Some(held) = StoredStatement::read(memory.clone()).filter(|_| memory.form == Form::STATEMENTS) {
        print_statement(&held, output)?;
    }
    if let Some(fact) = Fact::read(memory.clone()) {
        print_fact(&fact, output)?;
    }
    match retired_by {
        Some(entry) => output.line(format_args!("ended     by entry {entry}")),
        None if *has_ended => output.line("expired"),
        None => output.line("current"),
    }
}

/// Prints when a memory was said last and, if that differs, first.
fn print_said(said_at: Option<Timestamp>, since: Timestamp, output: &Output) -> Result<()> {
    let Some(at) = said_at else { return Ok(()) };
    let first = if since == at { String::new() } else { format!(", first {}", output.instant(since)) };
    output.line(format_args!("said      {}{first}", output.instant(at)))
}

/// Prints the fields of a fact besides its text.
fn print_fact(fact: &Fact, output: &Output) -> Result<()> {
    let Fact { data, memory } = fact;
    let instant = |at: Timestamp| output.instant(at);
    output.line(format_args!("fact      {}, confidence {:.2}", fact.place(), fact.confidence()))?;
    output.line(format_args!("source    {}", data.source))?;
    if let Some(evidence) = &data.evidence {
        output.line(format_args!("evidence  {}", output.one_line_after(10, evidence)))?;
    }
    output.line(format_args!("event     {} ({})", data.event, data.event_type.as_str()))?;
    print_said(memory.said_at, data.since, output)?;
    match memory.expires_at {
        Some(at) => output.line(format_args!("expires   {}", instant(at))),
        None => Ok(()),
    }
}

/// Prints the fields of a statement besides its text.
fn print_statement(held: &StoredStatement, output: &Output) -> Result<()> {
    let StoredStatement { data, memory } = held;
    let instant = |at: Timestamp| output.instant(at);
    if let Some(category) = memory.category {
        let number = |number: Option<f64>| number.map_or("unknown".to_owned(), |n| format!("{n:.2}"));
        let (importance, confidence) = (number(memory.importance), number(memory.confidence));
        output
            .line(format_args!("category  {category}, importance {importance}, confidence {confidence}"))?;
    }
    let from = data.from.iter().chain(&data.place).map(|from| format!(", from {from}"));
    output.line(format_args!("source    {}{}", data.source.as_str(), from.collect::<String>()))?;
    print_said(memory.said_at, data.since, output)?;
    match memory.expires_at {
        Some(at) => output.line(format_args!("expires   {}", instant(at))),
        None => output.line("expires   never"),
    }
}
