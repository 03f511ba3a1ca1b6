//! Memories as resources with URIs: the view, the journal, blocks, notes and files.

use memtape::view::ViewQuestion;
use memtape::{Audience, BlockName, Error, FilePath, NotePath, Ref, Result, Snapshot, Workspace, journal};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use crate::caller::Caller;

/// Number of journal lines in the resource `memtape://journal`.
const JOURNAL_LINES: usize = 100;
const VIEW: &str = "memtape://view";
const JOURNAL: &str = "memtape://journal";
const BLOCKS: &str = "memtape://blocks/";
const NOTES: &str = "memtape://notes/";
const FILES: &str = "memtape://files/";
const MEMORIES: &str = "memtape://memories/";
const MARKDOWN: &str = "text/markdown";
const NDJSON: &str = "application/x-ndjson";
const PLAIN: &str = "text/plain";

/// Characters that are escaped in a path: all that a URI does not allow there, and those that separate its parts.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resource {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    /// The media type.
    pub(crate) mime: &'static str,
}

impl Resource {
    fn new(uri: impl Into<String>, name: impl Into<String>, mime: &'static str) -> Self {
        Self { uri: uri.into(), name: name.into(), description: None, mime }
    }

    fn with_description(self, description: impl Into<String>) -> Self {
        Self { description: Some(description.into()), ..self }
    }

    /// Returns the place in the list: by kind, then by URI.
    fn place(&self) -> (usize, &str) {
        (rank(&self.uri), &self.uri)
    }
}

/// Returns the rank of a resource's kind in the list.
fn rank(uri: &str) -> usize {
    let kinds = [VIEW, JOURNAL, BLOCKS, NOTES, FILES];
    kinds.iter().position(|kind| uri.starts_with(kind)).unwrap_or(kinds.len())
}

/// The resources that a caller can read, all of one moment.
pub(crate) struct Resources<'w> {
    workspace: &'w Workspace,
    audience: Audience,
    snapshot: Snapshot<'w>,
}

impl<'w> Resources<'w> {
    pub(crate) fn of(workspace: &'w Workspace, caller: &Caller) -> Result<Self> {
        let audience = caller.audience(workspace)?;
        let snapshot = workspace.snapshot(&audience, &caller.at(workspace, None)?)?;
        Ok(Self { workspace, audience, snapshot })
    }

    /// Returns every resource, always in the same order.
    pub(crate) fn list(&self) -> Result<Vec<Resource>> {
        let Self { snapshot, .. } = self;
        let at = &snapshot.at();
        let mut resources = vec![
            Resource::new(VIEW, "view", MARKDOWN)
                .with_description("What the memory knows: its facts, with open conflicts"),
            Resource::new(JOURNAL, "journal", NDJSON)
                .with_description("The last events: what was said, remembered, changed and done"),
        ];
        for block in snapshot.blocks().list(None, at)? {
            if block.value.as_deref().is_some_and(|value| !value.is_empty() && value != "[]") {
                let name = block.name.to_string();
                resources.push(Resource::new(uri(BLOCKS, &name), name, MARKDOWN));
            }
        }
        for note in snapshot.notes().list(at)? {
            let resource = Resource::new(uri(NOTES, note.path.as_str()), note.path.as_str(), MARKDOWN);
            resources.push(match note.summary.as_str() {
                "" => resource,
                summary => resource.with_description(summary),
            });
        }
        for file in snapshot.files().list(None, at)? {
            resources.push(Resource::new(uri(FILES, file.path.as_str()), file.path.as_str(), PLAIN));
        }
        resources.sort_by(|a, b| a.place().cmp(&b.place()));
        Ok(resources)
    }

    /// Returns the content of a resource with its media type. A note or a file need not be UTF-8.
    pub(crate) fn content(&self, uri: &str) -> Result<(Vec<u8>, &'static str)> {
        let Self { workspace, audience, snapshot } = self;
        let at = &snapshot.at();
        if uri == VIEW {
            let view = workspace
                .view(&ViewQuestion { audience: audience.clone(), ..ViewQuestion::default() }, at)?;
            return Ok((view.text.into_bytes(), MARKDOWN));
        }
        if uri == JOURNAL {
            let question = journal::Question { tail: Some(JOURNAL_LINES), ..journal::Question::default() };
            let lines = snapshot.journal().lines(&question, at)?;
            let lines: String = lines.iter().map(|line| line.to_json().to_string() + "\n").collect();
            return Ok((lines.into_bytes(), NDJSON));
        }
        if let Some(name) = path(uri, BLOCKS)? {
            let name = BlockName::new(&name)?;
            return Ok((snapshot.blocks().get(&name, at)?.value.unwrap_or_default().into_bytes(), MARKDOWN));
        }
        if let Some(path) = path(uri, NOTES)? {
            let path: NotePath = snapshot.notes().path(&path)?;
            return Ok((snapshot.notes().read(&path, at)?.bytes(), MARKDOWN));
        }
        if let Some(path) = path(uri, FILES)? {
            let path = FilePath::new(&path)?;
            return Ok((snapshot.files().read(&path, at)?.bytes, PLAIN));
        }
        if let Some(reference) = path(uri, MEMORIES)? {
            let reference: Ref = reference.parse().map_err(Error::from)?;
            let shown = workspace.show(&reference, audience, at)?;
            let texts: Vec<_> = shown.iter().map(|shown| shown.memory.text.as_str()).collect();
            return Ok((texts.join("\n").into_bytes(), PLAIN));
        }
        Err(Error::NotFound(format!("there is no resource {uri:?}")))
    }
}

/// Returns the resources after the one with a URI, which may have been removed since. `None` if no listed resource can
/// have that URI.
pub(crate) fn after(mut resources: Vec<Resource>, uri: &str) -> Option<Vec<Resource>> {
    let has_path = |kind| uri.strip_prefix(kind).is_some_and(|path: &str| !path.is_empty());
    if ![VIEW, JOURNAL].contains(&uri) && ![BLOCKS, NOTES, FILES].into_iter().any(has_path) {
        return None;
    }
    let start = resources.partition_point(|resource| resource.place() <= (rank(uri), uri));
    Some(resources.split_off(start))
}

fn uri(kind: &str, path: &str) -> String {
    format!("{kind}{}", utf8_percent_encode(path, ESCAPED))
}

/// Returns the path of a resource of a kind, decoded.
fn path(uri: &str, kind: &str) -> Result<Option<String>> {
    let Some(path) = uri.strip_prefix(kind) else { return Ok(None) };
    let path = percent_decode_str(path).decode_utf8();
    Ok(Some(path.map_err(|_| Error::Invalid(format!("{uri:?} is not UTF-8")))?.into_owned()))
}
