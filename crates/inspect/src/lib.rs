//! The inspector: web pages that show what a workspace remembers, where it comes from and what a model was shown, and
//! that take it back.
//!
//! [`answer`] is the whole interface: a function from a [`Workspace`], a [`Viewer`] and a [`Request`] to an
//! [`Answer`]. A server mounts it below [`ROOT`]. It reads and writes through the library and the toolbox like every
//! other face, and contains no rule of its own.
//!
//! **Invariants.** Every text is hostile: templates escape all of them, no page contains a script or a style, and no
//! text becomes a link that leaves the inspector. A page reads one snapshot at one point. A page that writes nothing
//! is requested by `GET`, an action by `POST`.
//!
//! Suggested reading order: [`request`], `place`, `page`, `layout`, `parts`; then a file for each page; `actions`.

pub mod assets;
pub mod request;

mod actions;
mod change;
mod flow;
mod graph;
mod health;
mod layout;
mod memories;
mod memory;
mod page;
mod parts;
mod place;
mod recall;
mod review;
mod timeline;
mod turn;
mod turns;
mod viewer;

use maud::Markup;
use memtape::{Error, ErrorKind, Result, Workspace};

pub use self::layout::{failure, login};
pub use self::request::{Fields, Request};
pub use self::viewer::Viewer;

use self::page::Page;

/// The path of the inspector; every page is below it.
pub const ROOT: &str = "/inspect";

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A page or a part of one.
    Html {
        /// The HTTP status.
        status: u16,
        /// The text.
        html: String,
    },
    /// Another page is to be requested.
    Redirect(String),
    /// There is nothing new.
    Nothing,
}

/// Renders a page.
type Render = fn(&Page<'_>) -> Result<Markup>;

/// Every page, by its path below [`ROOT`].
const PAGES: [(&str, Render); 10] = [
    ("", timeline::render),
    ("/memories", memories::render),
    ("/memory", memory::render),
    ("/branches", graph::render),
    ("/change", change::render),
    ("/review", review::render),
    ("/recall", recall::render),
    ("/turns", turns::render),
    ("/turn", turn::render),
    ("/health", health::render),
];

/// The path below [`ROOT`] of the part of the timeline that a page requests again and again by itself.
pub const LIVE: &str = "/live";
/// The beginning of the paths of actions.
const ACTIONS: &str = "/do/";

/// Answers a request.
#[must_use]
pub fn answer(workspace: &Workspace, viewer: &Viewer, request: &Request) -> Answer {
    let path = request.path.as_str();
    let answered = match path.strip_prefix(ACTIONS) {
        Some(action) if request.is_post => {
            actions::run(workspace, viewer, request, action).map(Answer::Redirect)
        }
        None if !request.is_post && path == LIVE => timeline::live(workspace, viewer, request),
        None if !request.is_post => shown(workspace, viewer, request, path),
        _ => Err(Error::NotFound("there is no such page".into())),
    };
    answered.unwrap_or_else(|e| failed(viewer, &e))
}

fn shown(workspace: &Workspace, viewer: &Viewer, request: &Request, path: &str) -> Result<Answer> {
    let path = path.trim_end_matches('/');
    let Some((_, render)) = PAGES.iter().find(|(known, _)| *known == path) else {
        return Err(Error::NotFound("there is no such page".into()));
    };
    let page = Page::open(workspace, viewer, request)?;
    // What does not exist at a point may exist at another one, so the page keeps its slider.
    let (status, html) = match render(&page) {
        Ok(html) => (200, html),
        Err(e) => (status(&e), layout::failure_at(&page, &e.to_string(), hint(&e).as_deref())),
    };
    Ok(Answer::Html { status, html: html.into_string() })
}

fn failed(viewer: &Viewer, error: &Error) -> Answer {
    let html = failure(Some(viewer), &error.to_string(), hint(error).as_deref());
    Answer::Html { status: status(error), html }
}

fn hint(error: &Error) -> Option<String> {
    error.hint(memtape::Surface::CommandLine)
}

/// Returns the HTTP status of an error.
fn status(error: &Error) -> u16 {
    match error.kind() {
        ErrorKind::Invalid => 400,
        ErrorKind::NotFound => 404,
        ErrorKind::Conflict => 409,
        ErrorKind::Refused => 403,
        ErrorKind::Busy | ErrorKind::Unavailable => 503,
        ErrorKind::Corrupt | ErrorKind::Internal => 500,
    }
}
