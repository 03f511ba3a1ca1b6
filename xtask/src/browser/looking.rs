//! Checks that only look: pages, sizes, accessibility, hostile texts, time and the keyboard.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use super::driver::{Browser, Screen};
use super::world::{World, ensure, page_of};
use crate::run::Result;

/// Every page that needs no parameter, with its heading.
const PAGES: [(&str, &str); 7] = [
    ("/inspect", "Timeline"),
    ("/inspect/memories", "Memories"),
    ("/inspect/branches", "Branches"),
    ("/inspect/review", "Review"),
    ("/inspect/recall?q=where+does+Ana+live&b_backend=words&a_limit=3", "Recall"),
    ("/inspect/turns", "Prompts"),
    ("/inspect/health?verify=1", "Health"),
];
/// What the accessibility checker tests: the rules of WCAG 2.2 AA.
const RULES: &str = r#"["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]"#;
/// Maximum number of memories whose pages are opened in the hostile workspace.
const HOSTILE_PAGES: usize = 40;

/// Returns every page with its heading, those of single things included.
fn pages(browser: &Browser<'_>) -> Result<Vec<(String, String)>> {
    let mut pages: Vec<_> =
        PAGES.iter().map(|(path, title)| ((*path).to_owned(), (*title).to_owned())).collect();
    for (list, heading) in [
        ("/inspect/memories?form=statements", "Statement"),
        ("/inspect/memories?form=ledger", "Fact"),
        ("/inspect/memories?form=notes", "Note"),
        ("/inspect/memories?form=blocks", "Block"),
        ("/inspect/memories?form=messages", "Message"),
        ("/inspect/turns?session=telegram%3Aana", "Prompt"),
        ("/inspect?type=merge", "Change"),
    ] {
        pages.push((first_link(browser, list)?, heading.to_owned()));
    }
    Ok(pages)
}

/// Returns where the first row of a list leads.
fn first_link(browser: &Browser<'_>, list: &str) -> Result<String> {
    browser.open(list)?;
    let href = browser.script("return document.querySelector('ol.rows a.said')?.getAttribute('href')")?;
    Ok(href.as_str().ok_or_else(|| format!("{list} has no row"))?.to_owned())
}

/// Returns the pages of the pictures: the name and the path of each.
pub(super) fn pictures(browser: &Browser<'_>) -> Result<Vec<(&'static str, String)>> {
    let statement = first_link(browser, "/inspect/memories?q=window+seats&form=statements")?;
    let turn = first_link(browser, "/inspect/turns?session=telegram%3Aana&before=30")
        .or_else(|_| first_link(browser, "/inspect/turns?session=telegram%3Aana"))?;
    Ok(vec![
        ("timeline", "/inspect".into()),
        ("memories", "/inspect/memories".into()),
        ("memory", statement),
        ("branches", "/inspect/branches".into()),
        ("review", "/inspect/review".into()),
        (
            "recall",
            "/inspect/recall?q=Which+seats+does+Ana+prefer%3F&b_backend=words&a_limit=4&b_limit=4".into(),
        ),
        ("prompt", turn),
        ("health", "/inspect/health?verify=1".into()),
    ])
}

pub(super) fn every_page(world: &World<'_>) -> Result<()> {
    world.create("sample")?;
    let server = world.serve()?;
    for screen in [Screen::DESK, Screen::DARK, Screen::PHONE] {
        let browser = world.sign_in(&server, screen)?;
        for (path, heading) in pages(&browser)? {
            browser.open(&path)?;
            let title = browser.title()?;
            ensure(title.starts_with(&heading), || {
                format!("{path} has the title {title:?}, not {heading:?}")
            })?;
            // What is folded away must be accessible too.
            browser.script("for (const one of document.querySelectorAll('details')) one.open = true")?;
            accessible(world, &browser).map_err(|why| format!("{path} ({}): {why}", screen.name))?;
            let wide = browser.script("return [document.documentElement.scrollWidth, window.innerWidth]")?;
            ensure(wide[0].as_f64() <= wide[1].as_f64(), || {
                format!("{path} ({}) is too wide: {wide}", screen.name)
            })?;
            let transferred = browser.script(
                "return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
                    .reduce((sum, one) => sum + one.encodedBodySize, 0)",
            )?;
            ensure(transferred.as_u64().is_some_and(|bytes| bytes <= 150_000), || {
                format!("{path} transfers {transferred} bytes")
            })?;
        }
        silent(&browser)?;
    }
    Ok(())
}

/// Fails if the accessibility checker finds a violation on the page.
fn accessible(world: &World<'_>, browser: &Browser<'_>) -> Result<()> {
    browser.script(&format!("{}; return true", world.axe))?;
    let found = browser.promise(&format!(
        "const found = await axe.run(document, {{runOnly: {RULES}}});
         return found.violations.map((one) => [one.id, one.help, one.nodes.slice(0, 3).map((node) => node.html + ' ' + node.failureSummary)])"
    ))?;
    let violations = found.as_array().ok_or_else(|| format!("axe fails: {found}"))?;
    ensure(violations.is_empty(), || format!("axe finds {found:#}"))
}

/// Fails if the console has a message.
fn silent(browser: &Browser<'_>) -> Result<()> {
    let messages = browser.console()?;
    ensure(messages.is_empty(), || format!("the console has messages: {messages:#?}"))
}

pub(super) fn hostile(world: &World<'_>) -> Result<()> {
    world.create("hostile")?;
    let server = world.serve()?;
    let browser = world.sign_in(&server, Screen::DESK)?;
    let mut paths: Vec<String> = PAGES.iter().map(|(path, _)| (*path).to_owned()).collect();
    for list in [
        "/inspect/memories",
        "/inspect/memories?form=messages",
        "/inspect/turns",
        "/inspect",
        "/inspect/branches",
    ] {
        browser.open(list)?;
        let links = browser.script(
            "return [...document.querySelectorAll('main a[href^=\"/inspect/\"]')].map((a) => a.getAttribute('href'))",
        )?;
        let links = links.as_array().cloned().unwrap_or_default();
        paths.extend(links.iter().filter_map(Value::as_str).take(HOSTILE_PAGES).map(str::to_owned));
    }
    paths.sort();
    paths.dedup();
    for path in &paths {
        browser.open(path)?;
        browser.script("for (const one of document.querySelectorAll('details')) one.open = true")?;
        let state = browser.script("return [window.hostile ?? null, location.host, document.querySelectorAll('iframe, object, base, style, main script').length]")?;
        let is_whole =
            state[0].is_null() && server.url.ends_with(state[1].as_str().unwrap_or("?")) && state[2] == 0;
        ensure(is_whole, || format!("{path} runs a hostile text: {state}"))?;
    }
    ensure(paths.len() >= 60, || format!("only {} pages were opened", paths.len()))?;
    silent(&browser)
}

pub(super) fn live(world: &World<'_>) -> Result<()> {
    let (_server, browser) = world.opened(Screen::DESK)?;
    let rows =
        |browser: &Browser<'_>| browser.script("return document.querySelectorAll('#lines > li').length");
    let before = rows(&browser)?;
    world.memtape(&["remember", "The ferry leaves at noon."])?;
    browser.see("The ferry leaves at noon.")?;
    world.memtape(&["remember", "The ferry returns at six."])?;
    browser.see("The ferry returns at six.")?;
    let first = browser.script("return document.querySelector('#lines > li').textContent")?;
    ensure(first.as_str().is_some_and(|first| first.contains("returns at six")), || {
        format!("first is {first}")
    })?;
    let after = rows(&browser)?;
    ensure(after.as_u64() == before.as_u64().map(|before| before + 2), || {
        format!("{before} rows became {after}, each new line must come once")
    })?;
    silent(&browser)
}

pub(super) fn slider(world: &World<'_>) -> Result<()> {
    let (_server, browser) = world.opened(Screen::DESK)?;
    let head = world.json(&["status"])?["entries"].as_u64().unwrap_or_default();
    let set = "const slider = document.querySelector('input[name=at]'); slider.value = 30;
               slider.dispatchEvent(new Event('change'))";
    browser.script(set)?;
    browser.see("The past, as of")?;
    browser.see(&format!("Entry 30 of {head}"))?;
    for (page, key) in [("Memories", "m"), ("Branches", "b"), ("Health", "h"), ("Memories", "m")] {
        browser.press(&format!("g{key}"))?;
        browser.wait(page, |browser| Ok(browser.title()?.starts_with(page)))?;
        let url = browser.url()?;
        ensure(url.contains("at=30"), || format!("{url} does not stay at entry 30"))?;
    }
    let past = world.json(&["--at", "30", "recall", "Utrecht", "--form", "ledger"])?;
    ensure(past["hits"].as_array().is_some_and(Vec::is_empty), || "the fact is older than entry 30".into())?;
    ensure(!browser.text()?.contains("lives in"), || "a memory of later is shown".into())?;
    browser.click("ol.rows a.said")?;
    browser.see("This is the past")?;
    ensure(!browser.has("form[action^='/inspect/do/']")?, || "the past offers an action".into())?;
    browser.fill("input[name=when]", "2026-02-11")?;
    browser.click_text("button", "Go")?;
    browser.see("The past, as of 2026-02-11")?;
    browser.click_text("a", "Back to now")?;
    browser.wait("the head", |browser| browser.has(".live"))
}

pub(super) fn keyboard(world: &World<'_>) -> Result<()> {
    let (_server, browser) = world.opened(Screen::DESK)?;
    browser.press("gm")?;
    browser.wait("the memories", |browser| Ok(browser.title()?.starts_with("Memories")))?;
    browser.press("/")?;
    let focused = browser.script("return document.activeElement.name")?;
    ensure(focused == "q", || format!("/ focuses {focused}"))?;
    // Escape leaves the field; the keys are letters in it.
    browser.press("jk\u{e00c}")?;
    browser.press("jj")?;
    let at = browser.script("return [...document.querySelectorAll('[data-row]')].findIndex((row) => row.classList.contains('at'))")?;
    ensure(at == 1, || format!("j twice is at row {at}"))?;
    browser.press("k\u{e007}")?;
    browser.wait("a memory", |browser| Ok(browser.url()?.contains("/inspect/memory?")))?;
    browser.press("[")?;
    browser.see("The past, as of")
}

pub(super) fn ticket(world: &World<'_>) -> Result<()> {
    world.create("sample")?;
    let mut child = world
        .memtape
        .command(&world.dir, &["inspect", "--no-open"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("memtape could not be started: {e}"))?;
    let stderr = child.stderr.take().map(BufReader::new);
    let checked = stderr.ok_or_else(|| "memtape has no output".to_owned()).and_then(|stderr| {
        let mut lines = stderr.lines().map_while(std::io::Result::ok);
        let url = lines.find_map(|line| Some(format!("http://{}", line.split_once("http://")?.1.trim())));
        let url = url.ok_or("memtape inspect prints no address")?;
        let browser = world.driver.open("", Screen::DESK)?;
        browser.open(&url)?;
        browser.see("Timeline")?;
        ensure(!browser.url()?.contains("ticket"), || "the address still contains the ticket".into())?;
        let other = world.driver.open("", Screen::DESK)?;
        other.open(&url)?;
        other.see("Sign in")?;
        // The owner can act without a token.
        let reference = world.reference("Ana is allergic to cashews")?;
        browser.open(&format!(
            "{}{}",
            url.split("/inspect").next().unwrap_or_default(),
            page_of(&reference)
        ))?;
        browser.click_text("summary", "Forget")?;
        browser.click_text("button", "Forget")?;
        browser.see("Done in")?;
        ensure(world.current(&reference).is_none(), || "the line is still current".into())
    });
    // It fails only if the program has ended already.
    let _ = child.kill();
    let _ = child.wait();
    checked
}
