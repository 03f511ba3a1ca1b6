//! What every page has: the workspace, the viewer, and one snapshot at the chosen place.

use maud::{Markup, html};
use memtape::{At, Audience, Result, Snapshot, Workspace};

use crate::place::Place;
use crate::request::{Request, link};
use crate::viewer::Viewer;

/// A page that is being rendered.
pub(crate) struct Page<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) viewer: &'a Viewer,
    pub(crate) request: &'a Request,
    pub(crate) audience: Audience,
    pub(crate) place: Place,
    snapshot: Snapshot<'a>,
}

impl<'a> Page<'a> {
    pub(crate) fn open(workspace: &'a Workspace, viewer: &'a Viewer, request: &'a Request) -> Result<Self> {
        let audience = viewer.audience(workspace)?;
        let place = Place::read(workspace, viewer, &audience, request)?;
        let snapshot = workspace.snapshot(&audience, &place.at(workspace)?)?;
        Ok(Self { workspace, viewer, request, audience, place, snapshot })
    }

    /// Returns the point of the page, in its snapshot.
    pub(crate) fn at(&self) -> At<'_> {
        self.snapshot.at()
    }

    /// Returns the snapshot.
    pub(crate) fn snapshot(&self) -> &Snapshot<'a> {
        &self.snapshot
    }

    /// Returns a field of the request.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.request.fields.get(name)
    }

    /// Returns a link to a page at the same place.
    pub(crate) fn link(&self, path: &str, fields: &[(&str, &str)]) -> String {
        let place = self.place.fields();
        let place = place.iter().map(|(name, value)| (*name, value.as_str()));
        link(path, &fields.iter().copied().chain(place).collect::<Vec<_>>())
    }

    /// Returns a link to a page at the same moment on another branch.
    pub(crate) fn link_on(&self, branch: &str, path: &str, fields: &[(&str, &str)]) -> String {
        let [_, (name, entry)] = self.place.fields();
        let place = [("branch", branch), (name, entry.as_str())];
        link(path, &fields.iter().copied().chain(place).collect::<Vec<_>>())
    }

    /// Returns a link to this page with its own fields, except some.
    pub(crate) fn link_to_self(&self, own: &[&str], with: &[(&str, &str)]) -> String {
        let kept = own.iter().filter(|name| !with.iter().any(|(other, _)| other == *name));
        let kept = kept.filter_map(|name| Some((*name, self.field(name)?)));
        let fields: Vec<_> = kept.chain(with.iter().copied()).collect();
        self.link(&self.request.path, &fields)
    }

    /// Returns whether the page offers actions.
    pub(crate) fn offers_actions(&self) -> bool {
        !self.viewer.is_read_only && self.place.is_writable()
    }

    /// Returns the hidden fields of a form that asks for an action, which returns to a page.
    pub(crate) fn action_fields(&self, back: &str) -> Markup {
        html! {
            input type="hidden" name="csrf" value=(self.viewer.csrf);
            input type="hidden" name="on" value=(self.place.branch);
            input type="hidden" name="back" value=(back);
        }
    }
}
