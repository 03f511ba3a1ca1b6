//! Requests every page of the inspector for every asker that a token can name.

use memtape::{Origin, Session};
use memtape_inspect::{Answer as Shown, Fields, Request, Viewer, answer};

use super::answers::Answer;
use super::world::{Asker, SESSIONS, SHARED, word};
use super::written::Written;
use crate::laws::Verdict;

/// The pages that need no parameter. Each shows memories that nobody asked for by name, but the owner may see all.
const PAGES: [(&str, &[(&str, &str)]); 9] = [
    ("", &[]),
    ("/live", &[("after", "0")]),
    ("/memories", &[]),
    ("/memories", &[("form", "messages")]),
    ("/branches", &[]),
    ("/review", &[]),
    ("/turns", &[]),
    ("/health", &[]),
    ("/memories", &[("special", "quarantined")]),
];

/// Maximum number of memories and of changes whose pages are requested for each asker.
const EACH: usize = 6;

impl Written<'_> {
    /// Checks what the pages show an asker.
    pub(super) fn inspected(&self, asker: &Asker) -> Verdict {
        let Some(viewer) = viewer(asker)? else { return Ok(()) };
        let question = [("q", SHARED.join(" "))];
        let searches = ["/recall", "/memories"].map(|path| (path, &question[..]));
        let known: Vec<_> =
            self.memories.values().map(|memory| [("ref", memory.reference().to_string())]).collect();
        let by_ref = some(&known).map(|fields| ("/memory", &fields[..]));
        let entries: Vec<_> = self.ends.iter().map(|entry| [("entry", entry.to_string())]).collect();
        let changes = some(&entries).map(|fields| ("/change", &fields[..]));
        let asked = searches.into_iter().chain(by_ref).chain(changes);
        for (path, fields) in asked {
            let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            self.page(asker, &viewer, path, fields)?;
        }
        for (path, fields) in PAGES {
            let fields =
                fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            self.page(asker, &viewer, path, fields)?;
        }
        Ok(())
    }

    /// Returns every page that needs no parameter, at a place.
    pub(super) fn pages_at(&self, viewer: &Viewer, place: &[(&str, &str)]) -> Vec<Answer> {
        let fields = |fields: &[(&str, &str)]| {
            fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        PAGES.iter().map(|(path, own)| self.shown(viewer, path, fields(&[own, place].concat()))).collect()
    }

    fn page(&self, asker: &Asker, viewer: &Viewer, path: &str, fields: Fields) -> Verdict {
        let answer = self.shown(viewer, path, fields);
        // What a page repeats of its own address was said by the asker.
        let is_their_own = |n: usize| answer.call.contains(&word(n));
        self.check(asker, &answer, self.world.all_planted.len(), is_their_own)
    }

    fn shown(&self, viewer: &Viewer, path: &str, fields: Fields) -> Answer {
        let request = Request { path: path.to_owned(), is_post: false, fields };
        let text = match answer(&self.test.workspace, viewer, &request) {
            Shown::Html { html, .. } => html,
            Shown::Redirect(path) => path,
            Shown::Nothing => String::new(),
        };
        Answer { call: format!("GET /inspect{path} {:?}", request.fields), text, by_itself: false }
    }
}

/// Returns the viewer that an asker is; `None` if no token can name the asker.
pub(super) fn viewer(asker: &Asker) -> Result<Option<Viewer>, String> {
    let label = asker.session.map(|n| SESSIONS[n].0);
    if asker.layer.is_some() || label.is_none() && asker.user.is_some() {
        return Ok(None);
    }
    let session = Session::parse(label.unwrap_or("http:owner")).map_err(|e| e.to_string())?;
    Ok(Some(Viewer {
        name: Origin::User.as_str().to_owned(),
        session,
        is_owner: label.is_none(),
        user: asker.user_text(),
        is_read_only: false,
        csrf: "csrf".to_owned(),
    }))
}

/// Returns at most [`EACH`] of some items, from all of them.
fn some<T>(items: &[T]) -> impl Iterator<Item = &T> {
    items.iter().step_by(items.len() / EACH + 1)
}
