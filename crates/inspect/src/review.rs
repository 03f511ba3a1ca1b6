//! What waits for a person: proposed blocks, open conflicts, and quarantined texts.

use maud::{Markup, html};
use memtape::blocks::PendingProposal;
use memtape::{Fact, Form, Memory, MemoryFilter, OpenConflict, Result, Sensitivity};

use crate::actions::{button, target};
use crate::memory::EDIT_BYTES;
use crate::page::Page;
use crate::{layout, memories, parts};

/// Maximum number of quarantined memories in the list.
const LISTED: usize = 20;
/// Maximum number of conflicts on the page.
const CONFLICTS: usize = 50;

pub(crate) fn render(page: &Page<'_>) -> Result<Markup> {
    let waiting = page.snapshot().blocks().waiting(&page.at())?;
    let conflicts = page.workspace.open_conflicts(&page.audience, &page.at())?;
    let conflicts: Vec<_> = conflicts.into_values().flatten().collect();
    let quarantined = quarantined(page, LISTED)?;
    let main = html! {
        section aria-labelledby="proposals" {
            h2 id="proposals" { "Proposed blocks" }
            @if waiting.is_empty() { p.note { "No proposals." } }
            @for one in &waiting { (proposal(page, one)) }
        }
        section aria-labelledby="conflicts" {
            h2 id="conflicts" { "Open conflicts" }
            @if conflicts.is_empty() { p.note { "No open conflicts." } }
            @for one in conflicts.iter().take(CONFLICTS) { (conflict(page, one)) }
            @if conflicts.len() > CONFLICTS {
                p.note { (conflicts.len() - CONFLICTS) " more: " code { "memtape conflicts" } }
            }
        }
        section aria-labelledby="quarantined" {
            h2 id="quarantined" { "Quarantined texts" }
            p.note { "They read like instructions to a model. Search finds them; no prompt shows them unasked." }
            @if quarantined.is_empty() { p.note { "None." } }
            ol.rows { @for memory in &quarantined { (memories::row(page, memory)) } }
            @if quarantined.len() >= LISTED {
                p { a href=(page.link("/memories", &[("special", "quarantined")])) { "All of them" } }
            }
        }
    };
    Ok(layout::frame(page, "Review", &main))
}

/// Returns quarantined memories, messages included, of each at most a number.
pub(crate) fn quarantined(page: &Page<'_>, limit: usize) -> Result<Vec<Memory>> {
    let mut found = Vec::new();
    for form in [None, Some(Form::MESSAGES)] {
        let audience = page.audience.clone();
        let listing = MemoryFilter { audience, form, is_quarantined: true, limit, ..MemoryFilter::default() };
        found.extend(page.workspace.newest_first(&listing, &page.at())?);
    }
    Ok(found)
}

fn back(page: &Page<'_>) -> String {
    page.link("/review", &[])
}

fn proposal(page: &Page<'_>, waiting: &PendingProposal) -> Markup {
    let proposal = &waiting.proposal;
    let before = waiting.current.as_ref().map(|memory| memory.text.as_str()).unwrap_or_default();
    let form = |action: &str, text: &str, class: &str| {
        html! {
            form method="post" action=(target(action)) {
                (page.action_fields(&back(page)))
                input type="hidden" name="name" value=(proposal.name.as_str());
                input type="hidden" name="seen" value=(proposal.memory.id.entry());
                (button(text, class))
            }
        }
    };
    html! {
        article.card {
            h3 { "Block " (proposal.name.as_str()) }
            (parts::difference(before, &proposal.memory.text))
            p { (parts::labels(&proposal.memory)) " proposed " (parts::date(page, proposal.memory.created_at)) }
            @if waiting.is_stale {
                p.problem { "The block changed after this was proposed: reject it, or set the block yourself." }
            }
            @if page.offers_actions() && page.viewer.is_owner {
                p { "Approving makes this text the block, rejecting removes the proposal: each is one commit on "
                    (page.place.branch) "." }
                div.actions {
                    @if !waiting.is_stale { (form("approve", "Approve", "primary")) }
                    (form("reject", "Reject", "danger"))
                }
            }
        }
    }
}

fn conflict(page: &Page<'_>, conflict: &OpenConflict) -> Markup {
    let side = |title: &str, memory: Option<&Memory>| {
        html! {
            div.side {
                h4 { (title) }
                @match memory {
                    Some(memory) => {
                        (parts::block(&memtape::log::text(Some(memory))))
                        p { (parts::labels(memory)) " " (memory.version().to_string()) }
                    }
                    None => p.note { "removed" },
                }
            }
        }
    };
    let (reference, source) = (conflict.version().to_string(), conflict.source_name());
    let resolve = page.workspace.branches().resolve_command(&reference, &conflict.into);
    html! {
        article.card {
            h3 { a href=(parts::memory_link(page, &conflict.reference)) { (conflict.reference.to_string()) } }
            div.sides {
                (side(&format!("Ours, on {}", conflict.into), conflict.ours.as_ref()))
                (side(&format!("Theirs, of {source}"), conflict.theirs.as_ref()))
            }
            @if let Some(base) = &conflict.base {
                details { summary { "The last common version" } (parts::block(&memtape::log::text(Some(base)))) }
            }
            @if page.offers_actions() && page.viewer.is_owner {
                p { "Until it is resolved, ours is current. Resolving it is one commit on " (page.place.branch) "." }
                (resolutions(page, conflict, &reference, &resolve))
            }
        }
    }
}

/// Returns the forms that resolve a conflict. `resolve` is the command that does.
fn resolutions(page: &Page<'_>, conflict: &OpenConflict, reference: &str, resolve: &str) -> Markup {
    let form = |how: &str, inner: Markup| {
        html! {
            form method="post" action=(target("resolve")) {
                (page.action_fields(&back(page)))
                input type="hidden" name="ref" value=(reference);
                input type="hidden" name="seen" value=(conflict.ours.as_ref().map_or(0, |ours| ours.id.entry()));
                input type="hidden" name="how" value=(how);
                (inner)
            }
        }
    };
    let form_of = conflict.reference.form;
    let takes_value = [Form::LEDGER, Form::NOTES, Form::FILES, Form::BLOCKS].contains(&form_of);
    let object = |memory: &Memory| {
        Fact::read(memory.clone()).map_or_else(|| memory.text.clone(), |fact| fact.data.object)
    };
    let side = conflict.ours.as_ref().or(conflict.theirs.as_ref());
    html! {
        div.actions {
            (form("ours", button("Keep ours", "plain")))
            (form("theirs", button("Take theirs", "plain")))
            @if form_of == Form::LEDGER && conflict.theirs.is_some() {
                (form("both", button("Keep both", "plain")))
            }
        }
        @if takes_value {
            details.action {
                summary { "Another value…" }
                @match side.and_then(obstacle) {
                    Some(obstacle) => p.note { (obstacle) ": " code { (resolve) " --value -" } },
                    None => (form("value", html! {
                        label { "Text" textarea name="text" rows="4" required { "\n" (side.map(object).unwrap_or_default()) } }
                        (button("Save", "primary"))
                    })),
                }
            }
        }
    }
}

/// Returns why the page cannot offer a text to be edited; `None` if it can.
fn obstacle(memory: &Memory) -> Option<&'static str> {
    if memory.sensitivity == Sensitivity::Confidential {
        Some("The text is confidential")
    } else if memory.text.len() > EDIT_BYTES {
        Some("The text is too long to edit here")
    } else {
        memory.has_replacements().then_some("The text is not UTF-8")
    }
}
