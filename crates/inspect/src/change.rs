//! One entry of the tape: the commit that it is part of, what that changed, and the button that takes it back.

use maud::{Markup, html};
use memtape::{Change, ChangeKind, Error, ErrorKind, Result, ShownCommit, log};

use crate::actions::{button, target};
use crate::page::Page;
use crate::{layout, parts};

/// Maximum number of changes on the page.
const CHANGES: usize = 100;

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    let entry = page.request.fields.number("entry").filter(|entry| *entry > 0);
    let entry = entry.ok_or_else(|| Error::Invalid("the page names no entry".into()))?;
    let found = page.workspace.show_commit(&format!("@{entry}"), &page.audience, &page.at());
    let main = match found {
        Ok(shown) => commit(page, &shown),
        Err(e) if e.kind() == ErrorKind::NotFound => html! {
            p { "Entry @" (entry) " changed no memory that this point shows." }
            p { a href=(page.link("", &[("before", &(entry + 1).to_string())])) { "The timeline from there" } }
        },
        Err(e) => return Err(e),
    };
    Ok(layout::frame(page, &format!("Change @{entry}"), &main))
}

fn commit(page: &Page<'_>, shown: &ShownCommit) -> Markup {
    let commit = &shown.commit;
    let last = page.snapshot().point().lineage.last(&commit.branch);
    let is_here = last.is_some_and(|last| commit.entry <= last);
    html! {
        section.card aria-label="Commit" {
            p.text { strong { (log::message(commit)) } }
            dl.facts {
                dt { "Commit" } dd { code { (log::name(commit)) } ", entries " (commit.first) " to " (commit.entry) }
                dt { "Branch" } dd { (commit.branch) }
                dt { "Date" } dd { (parts::date(page, commit.date)) }
                @if let Some(session) = &commit.session { dt { "Conversation" } dd { (session) } }
                @if let Some(origin) = commit.origin { dt { "Origin" } dd { (origin.as_str()) } }
                @if let Some(reason) = &commit.reason { dt { "Reason" } dd { span.text { (reason) } } }
            }
            (revert(page, shown))
        }
        h2 { (parts::counted((commit.changes.len() + commit.more) as u64, "change", "changes")) }
        @if !shown.conflicts.is_empty() {
            p.note { (parts::counted(shown.conflicts.len() as u64, "conflict", "conflicts")) " left open: "
                a href=(page.link("/review", &[])) { "review" } }
        }
        ol.versions {
            @for change in commit.changes.iter().take(CHANGES) {
                li { (changed(page, change, (!is_here).then_some(&commit.branch))) }
            }
        }
        @if commit.changes.len() > CHANGES {
            p.note { "More changes are not shown: " code { "memtape show @" (commit.entry) } }
        }
    }
}

/// Returns a change with its difference. `elsewhere` is its branch, if the branch of the page does not have it.
fn changed(page: &Page<'_>, change: &Change, elsewhere: Option<&String>) -> Markup {
    let Some(memory) = change.shown() else { return html! {} };
    let reference = memory.reference().to_string();
    let link = match elsewhere {
        None => parts::memory_link(page, &memory.reference()),
        Some(branch) => page.link_on(branch, "/memory", &[("ref", &reference)]),
    };
    let text = |side: Option<&memtape::Memory>| log::text(side);
    let class = match change.kind() {
        ChangeKind::Added | ChangeKind::Restored => "good",
        ChangeKind::Changed => "plain",
        ChangeKind::Retired => "bad",
    };
    html! {
        p {
            (parts::label(class, change.kind().as_str())) " "
            a href=(link) { (reference) } " "
            (parts::labels(memory))
        }
        (parts::difference(&text(change.before.as_ref()), &text(change.after.as_ref())))
    }
}

fn revert(page: &Page<'_>, shown: &ShownCommit) -> Markup {
    let commit = &shown.commit;
    if !page.viewer.is_owner || !page.offers_actions() || commit.branch != page.place.branch {
        return html! {};
    }
    let entry = commit.entry.to_string();
    html! {
        details.action {
            summary { "Take it back…" }
            form method="post" action=(target("revert")) {
                (page.action_fields(&page.link("/change", &[("entry", &entry)])))
                input type="hidden" name="entry" value=(entry);
                p { "One new commit on " (page.place.branch) " reverses all of these changes. It can be taken back itself." }
                label { "Reason (optional) " input type="text" name="reason" autocomplete="off" maxlength="500"; }
                (button("Take it back", "danger"))
            }
        }
    }
}
