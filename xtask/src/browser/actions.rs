//! Checks of actions: what each does to the tape, and that it is undone where it was done.

use serde_json::Value;

use super::driver::{Browser, Screen};
use super::world::{World, ensure, page_of};
use crate::run::Result;

/// Fails unless exactly one commit was added since there were this many.
fn one_commit_more(world: &World<'_>, before: usize) -> Result<Value> {
    let (after, last) = world.last_commit()?;
    ensure(after == before + 1, || format!("{before} commits became {after}: an action is one commit"))?;
    Ok(last)
}

/// Performs an action, checks that it is one commit with an effect, undoes it, and checks that the effect is gone.
fn done_and_undone<T: PartialEq + std::fmt::Debug>(
    world: &World<'_>,
    browser: &Browser<'_>,
    what: &str,
    state: impl Fn() -> Result<T>,
    act: impl Fn(&Browser<'_>) -> Result<()>,
) -> Result<()> {
    let failed = |why: String| format!("{what}: {why}");
    let (before, commits) = (state()?, world.last_commit()?.0);
    act(browser).map_err(failed)?;
    browser.see("Done in").map_err(failed)?;
    one_commit_more(world, commits).map_err(failed)?;
    let after = state()?;
    ensure(after != before, || format!("{what} has no effect: {after:?}"))?;
    // The page says again what was done: now it is the undo.
    let done = reported(browser)?;
    browser.click_text("button", "Undo").map_err(failed)?;
    browser.wait("the undo", |browser| Ok(reported(browser)? != done)).map_err(failed)?;
    one_commit_more(world, commits + 1).map_err(failed)?;
    let undone = state()?;
    ensure(undone == before, || format!("{what} is not undone: {before:?} became {undone:?}"))
}

/// Returns the commit that the page reports as done.
fn reported(browser: &Browser<'_>) -> Result<String> {
    let text = browser.text()?;
    let entry = text.split_once("Done in ").and_then(|(_, rest)| rest.split(':').next());
    Ok(entry.ok_or("nothing is reported as done")?.to_owned())
}

fn forget(browser: &Browser<'_>, reference: &str) -> Result<()> {
    browser.open(&page_of(reference))?;
    browser.click_text("summary", "Forget")?;
    browser.click_text("button", "Forget")
}

fn edit(browser: &Browser<'_>, reference: &str, text: &str) -> Result<()> {
    browser.open(&page_of(reference))?;
    browser.click_text("summary", "Edit")?;
    browser.fill("textarea[name=text]", text)?;
    browser.click_text("button", "Save")
}

/// Returns the text of a memory without its version and dates.
fn text_of(world: &World<'_>, reference: &str) -> Result<Option<String>> {
    let Ok(shown) = world.json(&["show", reference]) else { return Ok(None) };
    let first = if shown.is_array() { &shown[0] } else { &shown };
    Ok(first["text"].as_str().map(str::to_owned))
}

pub(super) fn four_clicks(world: &World<'_>) -> Result<()> {
    let (_server, browser) = world.opened(Screen::DESK)?;
    // The agent has just answered "The window.": why does it think this?
    browser.open("/inspect/turns?session=telegram%3Aana")?;
    browser.click_text("a", "Do I prefer the window or the aisle")?;
    browser.see("Recalled for it")?;
    browser.click_text("ol/li/a", "I prefer window seats on long flights")?;
    // The message that it came from is on the page of the memory.
    browser.see("The message that it was captured from")?;
    browser.see("Hi! I prefer window seats on long flights.")?;
    let reference = world.reference("I prefer window seats on long flights")?;
    browser.click_text("summary", "Forget")?;
    browser.click_text("button", "Forget")?;
    browser.see("Done in")?;
    ensure(world.current(&reference).is_none() || !reference.starts_with("statements"), || {
        format!("{reference} is still current")
    })?;
    browser.see("Not current at this point")
}

pub(super) fn memories(world: &World<'_>) -> Result<()> {
    let (_server, browser) = world.opened(Screen::DESK)?;
    let line = world.reference("Ana is allergic to cashews")?;
    let fact = "Ana prefers tea";
    let fact_ref = world.reference(fact)?;
    let statement = statement(world)?;
    let (block, file) = ("blocks:current_focus", "files:insights/travel.md");
    for reference in [line.as_str(), &fact_ref, &statement, block, file] {
        done_and_undone(
            world,
            &browser,
            &format!("forget {reference}"),
            || text_of(world, reference),
            |browser| forget(browser, reference),
        )?;
    }
    let note = || world.memtape(&["note", "read", "facts/ana.md"]);
    let section = section(world)?;
    done_and_undone(world, &browser, "forget a section", note, |browser| forget(browser, &section))?;
    for (reference, text) in
        [(fact_ref.as_str(), "green tea"), (block, "the wedding"), (file, "Ana books late.\n")]
    {
        done_and_undone(
            world,
            &browser,
            &format!("edit {reference}"),
            || text_of(world, reference),
            |browser| edit(browser, reference, text),
        )?;
    }
    done_and_undone(world, &browser, "edit a note", note, |browser| {
        edit(browser, &section, "# Ana\n\n- likes tea\n")
    })?;
    let refused = edit_in_two_windows(world, &browser, block)?;
    ensure(refused.contains("changed after the page was opened"), || {
        format!("an old page is accepted: {refused}")
    })?;
    restore(world, &browser, &line)?;
    restore(world, &browser, &statement)?;
    restore(world, &browser, block)
}

/// Returns the reference of a captured statement.
fn statement(world: &World<'_>) -> Result<String> {
    let recalled = world.json(&["recall", "window seats on long flights", "--form", "statements"])?;
    let found = recalled["hits"][0]["ref"].as_str().and_then(|found| found.split('@').next());
    Ok(found.ok_or("nothing was captured")?.to_owned())
}

/// Returns the reference of a section of a note.
fn section(world: &World<'_>) -> Result<String> {
    let recalled = world.json(&["recall", "allergic to cashews", "--form", "notes"])?;
    let found = recalled["hits"][0]["ref"].as_str().and_then(|found| found.rsplit_once('@'));
    Ok(found.ok_or("no section of a note is found")?.0.to_owned())
}

/// Changes a memory after its page was opened, then saves the page.
fn edit_in_two_windows(world: &World<'_>, browser: &Browser<'_>, reference: &str) -> Result<String> {
    browser.open(&page_of(reference))?;
    let name = reference.split_once(':').map_or("", |(_, name)| name);
    world.memtape(&["block", "set", name, "written by somebody else"])?;
    browser.click_text("summary", "Edit")?;
    browser.fill("textarea[name=text]", "an old page")?;
    browser.click_text("button", "Save")?;
    browser.see("This did not work")?;
    browser.text()
}

/// Forgets a memory and restores it from its history.
fn restore(world: &World<'_>, browser: &Browser<'_>, reference: &str) -> Result<()> {
    let before = text_of(world, reference)?;
    forget(browser, reference)?;
    browser.see("Done in")?;
    ensure(text_of(world, reference)?.is_none(), || format!("{reference} is still current"))?;
    browser.click_text("summary", "Restore this version")?;
    browser.click_text("button", "Restore")?;
    browser.wait("the restored version", |browser| browser.has("section.card"))?;
    let after = text_of(world, reference)?;
    ensure(after == before, || format!("{reference} is restored as {after:?}, and was {before:?}"))
}

pub(super) fn reviews(world: &World<'_>) -> Result<()> {
    let (_server, browser) = world.opened(Screen::DESK)?;
    let persona = || {
        let block = text_of(world, "blocks:persona")?;
        Ok((block, text_of(world, "blocks:proposed/persona")?))
    };
    for button in ["Approve", "Reject"] {
        done_and_undone(world, &browser, button, persona, |browser| {
            browser.open("/inspect/review")?;
            browser.click_text("button", button)
        })?;
    }
    let conflict = || {
        let open = world.json(&["conflicts"])?;
        let facts = world.json(&["recall", "where does Ana live", "--form", "ledger"])?;
        let hits = facts["hits"].as_array().cloned().unwrap_or_default();
        let mut texts: Vec<_> = hits.iter().map(|hit| hit["text"].to_string()).collect();
        texts.sort();
        Ok((open.to_string().contains("Lisbon"), texts))
    };
    for button in ["Keep ours", "Take theirs", "Keep both"] {
        done_and_undone(world, &browser, button, conflict, |browser| {
            browser.open("/inspect/review")?;
            browser.click_text("button", button)
        })?;
    }
    done_and_undone(world, &browser, "another value", conflict, |browser| {
        browser.open("/inspect/review")?;
        browser.click_text("summary", "Another value")?;
        browser.fill("textarea[name=text]", "Faro")?;
        browser.click_text("button", "Save")
    })
}

pub(super) fn branches(world: &World<'_>) -> Result<()> {
    let (_server, browser) = world.opened(Screen::DESK)?;
    // Facts that are equally certain are in the order of their creation, which a revert changes.
    let facts = || {
        let view = world.memtape(&["view"])?;
        let mut lines: Vec<_> = view.lines().map(str::to_owned).collect();
        lines.sort();
        Ok(lines)
    };
    done_and_undone(world, &browser, "take back a merge", facts, |browser| {
        browser.open("/inspect/branches")?;
        browser.click_text("a", "merge travel-planner into main")?;
        browser.click_text("summary", "Take it back")?;
        browser.click_text("button", "Take it back")
    })?;
    browser.open("/inspect/branches?branch=travel-planner")?;
    browser.click_text("button", "Switch to travel-planner")?;
    browser.wait("the other branch", |browser| Ok(!browser.text()?.contains("Switch to")))?;
    let there =
        world.json(&["--branch", "travel-planner", "recall", "flies from Rotterdam", "--form", "ledger"])?;
    let reference =
        there["hits"][0]["ref"].as_str().and_then(|found| found.split('@').next()).unwrap_or_default();
    forget(&browser, reference)?;
    browser.see("Done in")?;
    ensure(world.memtape(&["--branch", "travel-planner", "show", reference]).is_err(), || {
        "it is still there".into()
    })?;
    ensure(world.memtape(&["show", reference]).is_ok(), || {
        "main lost what only the other branch forgot".into()
    })
}

pub(super) fn without_script(world: &World<'_>) -> Result<()> {
    let (_server, browser) = world.opened(Screen::PLAIN)?;
    for (path, title) in [
        ("/inspect", "Timeline"),
        ("/inspect/memories?q=tea&form=ledger", "Memories"),
        ("/inspect/branches", "Branches"),
        ("/inspect/review", "Review"),
        ("/inspect/recall?q=tea&b_backend=words", "Recall"),
        ("/inspect/turns", "Prompts"),
        ("/inspect/health", "Health"),
    ] {
        browser.open(path)?;
        ensure(browser.title()?.starts_with(title), || format!("{path} does not show {title}"))?;
    }
    let line = world.reference("Ana is allergic to cashews")?;
    done_and_undone(
        world,
        &browser,
        "forget without JavaScript",
        || text_of(world, &line),
        |browser| forget(browser, &line),
    )?;
    browser.open("/inspect")?;
    browser.fill("input[name=when]", "20")?;
    browser.click_text("button", "Go")?;
    browser.see("The past, as of")?;
    browser.click_text("button", "Sign out")?;
    browser.see("Sign in")?;
    browser.open("/inspect")?;
    browser.see("Sign in")
}
