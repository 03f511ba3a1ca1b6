//! The health of the workspace: what is wrong or waits, each with the command that mends it.

use maud::{Markup, html};
use memtape::journal::Question;
use memtape::journal::costs::By;
use memtape::{At, ErrorKind, Form, Result, TurnQuestion, Workspace};

use crate::page::Page;
use crate::{layout, parts, review, turns};

/// Maximum number of items in a list, and of days of costs.
const LISTED: usize = 20;
/// Maximum number of quarantined texts that are counted.
const COUNTED: usize = 1000;

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    let main = match page.viewer.is_owner {
        true => whole(page)?,
        false => html! { p.note { "Only the owner can see the health of the workspace." } },
    };
    Ok(layout::frame(page, "Health", &main))
}

/// Whether something is as it should be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    Waits,
    Bad,
    Unknown,
}

/// One line of the page.
struct Check {
    name: &'static str,
    state: State,
    text: String,
    /// The command that mends it.
    command: Option<&'static str>,
    /// The page that shows more.
    link: Option<String>,
}

fn check(name: &'static str, state: State, text: impl Into<String>) -> Check {
    Check { name, state, text: text.into(), command: None, link: None }
}

impl Check {
    fn mended_by(self, command: &'static str) -> Self {
        let is_needed = self.state != State::Good;
        Self { command: is_needed.then_some(command), ..self }
    }

    fn shown_at(self, link: String) -> Self {
        Self { link: Some(link), ..self }
    }
}

/// Returns a check that something countable is absent.
fn none_of(name: &'static str, count: usize, one: &str, many: &str, otherwise: State) -> Check {
    match count {
        0 => check(name, State::Good, "none"),
        n => check(name, otherwise, parts::counted(n as u64, one, many)),
    }
}

fn whole(page: &Page<'_>) -> Result<Markup> {
    let open = TurnQuestion { is_open: true, limit: LISTED, ..TurnQuestion::default() };
    let open = page.workspace.turns(&open, &page.at())?;
    let mut checks = vec![verified(page)?, index(page)?, vectors(page)];
    checks.extend(upstream(page)?);
    checks.extend(memory_checks(page, open.len())?);
    for form in [Form::NOTES, Form::FILES] {
        checks.extend(files(page, form)?);
    }
    let stats = page.workspace.stats(&page.audience, &At::head())?;
    Ok(html! {
        div.scroll tabindex="0" role="region" aria-label="Checks" {
            table.checks {
                thead { tr { th scope="col" { "Check" } th scope="col" { "State" } th scope="col" { "Mended by" } } }
                tbody { @for one in &checks { (check_row(one)) } }
            }
        }
        p.note { "The tape has " (memtape::notes::size_text(usize::try_from(stats.tape_bytes).unwrap_or(usize::MAX))) ", "
            (page.place.head) " entries." }
        @if !open.is_empty() {
            h2 { "Unfinished turns" }
            ol.rows { @for listed in &open { (turns::row(page, listed)) } }
        }
        (redactions(page)?)
        (costs(page)?)
    })
}

fn check_row(check: &Check) -> Markup {
    let (class, word) = match check.state {
        State::Good => ("good", "good"),
        State::Waits => ("warn", "waits"),
        State::Bad => ("bad", "bad"),
        State::Unknown => ("plain", "not checked"),
    };
    html! {
        tr {
            th scope="row" { (check.name) }
            td {
                (parts::label(class, word)) " "
                @match &check.link { Some(link) => a href=(link) { (check.text) }, None => (check.text) }
            }
            td { @if let Some(command) = check.command { code { (command) } } }
        }
    }
}

/// Returns the result of verifying the tape. It reads all of it, so it is done only if it is asked for.
fn verified(page: &Page<'_>) -> Result<Check> {
    let link = page.link("/health", &[("verify", "1")]);
    if page.field("verify").is_none() {
        let check = check("Tape", State::Unknown, "Verify every line now").shown_at(link);
        return Ok(check.mended_by("memtape verify"));
    }
    let verified = Workspace::verify(page.workspace.dir())?;
    let entries = parts::counted(verified.tape.entries, "entry", "entries");
    Ok(match (verified.tape.bad.first(), verified.missing_since) {
        (None, None) => check("Tape", State::Good, format!("{entries} verified")),
        (Some(bad), _) => {
            let more = verified.tape.bad.len() - 1;
            check("Tape", State::Bad, format!("{bad} (and {more} more)")).mended_by("memtape verify")
        }
        (None, Some(entry)) => {
            let why = format!("the tape was cut or replaced: the index had read it up to @{entry}");
            check("Tape", State::Bad, why).mended_by("memtape verify")
        }
    })
}

fn index(page: &Page<'_>) -> Result<Check> {
    let stats = page.workspace.stats(&page.audience, &At::head())?;
    let size = stats.index_bytes.unwrap_or_default();
    let size = memtape::notes::size_text(usize::try_from(size).unwrap_or(usize::MAX));
    let text = format!("up to @{}, {size}; memtape reindex builds it anew", page.place.head);
    Ok(check("Index", State::Good, text))
}

/// Returns whether a replica reaches its upstream; `None` if the workspace is no replica.
fn upstream(page: &Page<'_>) -> Result<Option<Check>> {
    Ok(page.workspace.upstream_status()?.map(|status| match status.head {
        Ok(head) if head <= status.entry => {
            check("Upstream", State::Good, format!("{}: up to date", status.upstream))
        }
        Ok(head) => {
            let behind = parts::counted(head - status.entry, "entry", "entries");
            check("Upstream", State::Waits, format!("{}: {behind} behind", status.upstream))
        }
        Err(why) => check("Upstream", State::Bad, why).mended_by("memtape status"),
    }))
}

fn vectors(page: &Page<'_>) -> Check {
    match page.workspace.waiting(&page.at()) {
        Ok(waiting) => {
            let count = usize::try_from(waiting.known + waiting.messages).unwrap_or(usize::MAX);
            none_of("Pending vectors", count, "memory", "memories", State::Waits)
                .mended_by("memtape reindex --vectors")
        }
        Err(e) => {
            check("Pending vectors", State::Bad, e.to_string()).mended_by("memtape config recall.model")
        }
    }
}

fn memory_checks(page: &Page<'_>, open_turns: usize) -> Result<Vec<Check>> {
    let review = page.link("/review", &[]);
    let conflicts = page.workspace.open_conflicts(&page.audience, &page.at())?.values().map(Vec::len).sum();
    let proposals = page.snapshot().blocks().waiting(&page.at())?.len();
    let quarantined = review::quarantined(page, COUNTED)?.len();
    Ok(vec![
        none_of("Open conflicts", conflicts, "conflict", "conflicts", State::Waits)
            .mended_by("memtape resolve REF")
            .shown_at(review.clone()),
        none_of("Proposals", proposals, "proposal", "proposals", State::Waits)
            .mended_by("memtape block approve NAME")
            .shown_at(review),
        none_of("Quarantined texts", quarantined, "memory", "memories", State::Waits)
            .mended_by("memtape forget REF")
            .shown_at(page.link("/review", &[])),
        none_of("Unfinished turns", open_turns, "turn", "turns", State::Waits)
            .mended_by("the next turn of the conversation")
            .shown_at(page.link("/turns", &[("type", "open")])),
    ])
}

fn files(page: &Page<'_>, form: Form) -> Result<Vec<Check>> {
    let name = if form == Form::NOTES { "Note files" } else { "Long-term files" };
    let status = match page.workspace.files_status(form) {
        Ok(status) => status,
        Err(e) if e.kind() != ErrorKind::Internal => return Ok(vec![check(name, State::Bad, e.to_string())]),
        Err(e) => return Err(e),
    };
    let mut checks = Vec::new();
    for odd in status.odd.iter().take(LISTED) {
        checks.push(check(name, State::Bad, odd.to_string()).mended_by("move or rename the file"));
    }
    for path in status.secrets.iter().take(LISTED) {
        let why = format!("{path} contains a secret, which the tape does not");
        checks.push(check(name, State::Bad, why).mended_by("memtape scan --redact"));
    }
    for path in status.kept.iter().take(LISTED) {
        let why = format!("{path} was kept because of a secret, which the tape does not have");
        checks.push(check(name, State::Waits, why).mended_by("copy what you need from it, and delete it"));
    }
    if !status.waiting.is_empty() {
        let why = parts::counted(status.waiting.len() as u64, "file to write", "files to write");
        checks.push(check(name, State::Waits, why).mended_by("memtape status"));
    }
    if status.passed_over.count > 0 {
        let why = parts::counted(status.passed_over.count as u64, "file is", "files are");
        let first =
            status.passed_over.paths.first().map_or(String::new(), |path| format!(", such as {path}"));
        let check = check(name, State::Waits, format!("{why} not recorded{first}"));
        checks.push(check.mended_by("rename it to end in .md"));
    }
    if checks.is_empty() {
        let count = parts::counted(status.files as u64, "file", "files");
        checks.push(check(name, State::Good, format!("{count}, as the tape has them")));
    }
    Ok(checks)
}

fn redactions(page: &Page<'_>) -> Result<Markup> {
    let question = Question { types: vec!["erase".into()], tail: Some(LISTED), ..Question::default() };
    let erasures = page.snapshot().journal().lines(&question, &page.at())?;
    Ok(html! {
        h2 { "Redactions and erasures" }
        p.note { "Secrets are redacted before they are written. " code { "memtape scan" } " searches what is stored." }
        @if erasures.is_empty() { p { "Nothing was erased." } }
        ol.rows {
            @for line in erasures.iter().rev() {
                li.row {
                    span.when { (parts::date(page, line.date)) }
                    span.what { (parts::label("kind", "erase")) }
                    span.said { (parts::line(&crate::timeline::text(line))) }
                    span.where { "@" (line.entry) }
                }
            }
        }
    })
}

fn costs(page: &Page<'_>) -> Result<Markup> {
    let days = page.snapshot().journal().costs(By::Day, &Question::default(), &page.at())?;
    if days.is_empty() {
        return Ok(html! { h2 { "Costs by day" } p { "No calls of a model are recorded." } });
    }
    Ok(html! {
        h2 { "Costs by day" }
        div.scroll tabindex="0" role="region" aria-label="Costs" {
            table {
                thead { tr { th scope="col" { "Day" } th.number scope="col" { "Calls" } th.number scope="col" { "Tokens in" } th.number scope="col" { "Tokens out" } th.number scope="col" { "Cost" } } }
                tbody {
                    @for (day, sums) in days.iter().rev().take(LISTED) {
                        tr {
                            th scope="row" { (day) }
                            td.number { (sums.calls) } td.number { (sums.tokens_in) } td.number { (sums.tokens_out) }
                            td.number { @if let Some(cost) = sums.cost { (format!("{cost:.4}")) } }
                        }
                    }
                }
            }
        }
        p.note { code { "memtape journal costs --by day" } " shows all of them." }
    })
}
