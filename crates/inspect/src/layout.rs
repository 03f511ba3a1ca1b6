//! The frame of every page: navigation, the place, and what the last action did.

use maud::{DOCTYPE, Markup, html};
use memtape::log;

use crate::actions::button;
use crate::page::Page;
use crate::request::link;
use crate::viewer::Viewer;
use crate::{ROOT, assets, parts};

/// The pages in the navigation: path, title, and the key that opens it after `g`.
const PAGES: [(&str, &str, &str); 7] = [
    ("", "Timeline", "t"),
    ("/memories", "Memories", "m"),
    ("/branches", "Branches", "b"),
    ("/review", "Review", "r"),
    ("/recall", "Recall", "q"),
    ("/turns", "Prompts", "p"),
    ("/health", "Health", "h"),
];

/// What htmx must not do: evaluate text, run scripts that it receives, insert styles, or request another site.
const HTMX: &str = r#"{"allowEval":false,"allowScriptTags":false,"includeIndicatorStyles":false,"selfRequestsOnly":true,"historyEnabled":false}"#;

/// The title of a page that reports a failure.
const FAILED: &str = "This did not work";

/// Returns a whole page.
pub(crate) fn frame(page: &Page<'_>, title: &str, main: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title))
            body {
                a.skip href="#main" { "Skip to the content" }
                header {
                    (navigation(page))
                    (place_bar(page))
                }
                main id="main" tabindex="-1" {
                    @if let Some(stale) = page.workspace.stale() { p.note role="status" { (stale) } }
                    @if let Some(done) = done(page) { (done) }
                    h1 { (title) }
                    (main)
                }
                (footer(page))
            }
        }
    }
}

fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="htmx-config" content=(HTMX);
            title { (title) " · memtape" }
            link rel="icon" type="image/svg+xml" href=(assets::icon());
            link rel="stylesheet" href=(assets::style());
            @for script in assets::scripts() {
                script src=(script) defer {}
            }
        }
    }
}

fn navigation(page: &Page<'_>) -> Markup {
    let own = page.request.path.trim_end_matches('/');
    let is_current = |path: &str| match (path, own) {
        ("/memories", "/memory") | ("/turns", "/turn") | ("/branches", "/change") => true,
        (path, own) => path == own,
    };
    html! {
        nav aria-label="Pages" {
            a.brand href=(page.link("", &[])) { "memtape" }
            ul {
                @for (path, title, key) in PAGES {
                    li {
                        a href=(page.link(path, &[])) data-key=(key)
                            aria-current=[is_current(path).then_some("page")] { (title) }
                    }
                }
            }
            form.leave method="post" action=(link("/leave", &[])) {
                input type="hidden" name="csrf" value=(page.viewer.csrf);
                span.who { (page.viewer.name) @if page.viewer.is_read_only { " (read-only)" } }
                button.quiet type="submit" { "Sign out" }
            }
        }
    }
}

/// The fields of a request that a change of the place does not keep: those of the place, of a part of a list, and of what
/// was done.
const NOT_KEPT: [&str; 8] = ["branch", "at", "of", "when", "before", "after", "done", "verify"];

fn place_bar(page: &Page<'_>) -> Markup {
    let place = &page.place;
    let path = page.request.path.trim_end_matches('/');
    let shown = place.shown();
    let kept: Vec<_> = page.request.fields.iter().filter(|(name, _)| !NOT_KEPT.contains(name)).collect();
    let now = place.entry.map(|_| {
        let branch = page.field("branch").filter(|_| !place.is_gone).map(|branch| ("branch", branch));
        link(path, &kept.iter().copied().chain(branch).collect::<Vec<_>>())
    });
    html! {
        form.place method="get" action={ (ROOT) (path) } data-place role="search" aria-label="Point in time" {
            @for (name, value) in &kept {
                input type="hidden" name=(name) value=(value);
            }
            input type="hidden" name="of" value=(place.head);
            label.branch {
                "Branch "
                select name="branch" {
                    @for branch in &place.branches {
                        option value=(branch) selected[*branch == place.branch] { (branch) }
                    }
                }
            }
            label.slider {
                span { "Entry " output { (shown) } " of " (place.head) }
                input type="range" name="at" min="0" max=(place.head) value=(shown);
            }
            label.when {
                span.hidden { "Or a date, a time, an entry or an age" }
                input type="text" name="when" placeholder="date, entry, “2 days ago”" autocomplete="off";
            }
            button type="submit" { "Go" }
            @match now {
                Some(now) => {
                    span.past role="status" { "The past, as of " (parts::moment(page)) }
                    a href=(now) { "Back to now" }
                }
                None => span.live role="status" { "Now" },
            }
        }
    }
}

/// Returns what the last action did, with the button that takes it back.
fn done(page: &Page<'_>) -> Option<Markup> {
    let entry = page.request.fields.number("done")?;
    if entry == 0 {
        return Some(
            html! { p.done role="status" { "Nothing changed: the memory is already as you asked." } },
        );
    }
    let shown =
        page.workspace.show_commit(&format!("@{entry}"), &page.audience, &memtape::At::head()).ok()?;
    let back = page.link_to_self(&["ref", "entry"], &[]);
    let named = format!("@{}", shown.commit.entry);
    Some(html! {
        div.done role="status" {
            p {
                "Done in " a href=(page.link("/change", &[("entry", &entry.to_string())])) { (named) } ": "
                span.text { (log::message(&shown.commit)) }
            }
            @if page.viewer.is_owner && page.offers_actions() {
                form method="post" action=(link("/do/revert", &[])) {
                    (page.action_fields(&back))
                    input type="hidden" name="entry" value=(entry);
                    (button("Undo", "plain"))
                }
            }
        }
    })
}

fn footer(page: &Page<'_>) -> Markup {
    html! {
        footer {
            details {
                summary { "Keyboard" }
                dl.keys {
                    dt { kbd { "j" } " " kbd { "k" } } dd { "next and previous row" }
                    dt { kbd { "Enter" } } dd { "open the row" }
                    dt { kbd { "/" } } dd { "search" }
                    dt { kbd { "[" } " " kbd { "]" } } dd { "one entry back and forth" }
                    @for (_, title, key) in PAGES {
                        dt { kbd { "g" } " " kbd { (key) } } dd { (title) }
                    }
                }
            }
            p { "Served from " code { (page.workspace.dir().display().to_string()) } }
        }
    }
}

/// Returns the page that asks for a token.
#[must_use]
pub fn login(message: Option<&str>) -> String {
    alone(
        "Sign in",
        &html! {
            @if let Some(message) = message {
                p.problem role="alert" { (message) }
            }
            form.login method="post" action=(link("/login", &[])) {
                label for="token" { "Token" }
                input id="token" type="password" name="token" autocomplete="off" required autofocus;
                button type="submit" { "Sign in" }
            }
            p { code { "memtape token add NAME" } " creates a token. " code { "memtape inspect" } " needs none." }
        },
    )
}

/// Returns a page that reports a failure.
#[must_use]
pub fn failure(viewer: Option<&Viewer>, message: &str, hint: Option<&str>) -> String {
    alone(
        FAILED,
        &html! {
            (problem(message, hint))
            @if viewer.is_some() {
                p { a href=(ROOT) { "To the timeline" } }
            } @else {
                p { a href=(link("/login", &[])) { "Sign in" } }
            }
        },
    )
}

/// Returns a page that reports a failure at the place of a page.
pub(crate) fn failure_at(page: &Page<'_>, message: &str, hint: Option<&str>) -> Markup {
    frame(page, FAILED, &problem(message, hint))
}

fn problem(message: &str, hint: Option<&str>) -> Markup {
    html! {
        p.problem role="alert" { (message) }
        @if let Some(hint) = hint {
            p { "Hint: " (hint) }
        }
    }
}

/// Returns a page without navigation.
fn alone(title: &str, main: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title))
            body.alone {
                main id="main" {
                    p.brand { "memtape" }
                    h1 { (title) }
                    (main)
                }
            }
        }
    };
    page.into_string()
}
