//! Writes notes and files, beside what exists.

use memtape_core::forms::files::{self, FilePath};
use memtape_core::forms::notes::{self, NotePath};
use memtape_core::{Audience, Origin};

use super::{Became, Group};
use crate::working_copy::notes::view_for;

impl Group<'_> {
    pub(super) fn note(&mut self, path: &str, text: &str, place: &str) -> memtape_index::Result<Became> {
        let folders = &self.bulk.workspace.config.notes.folders;
        let limit = notes::Limits::default().file;
        if text.len() > limit {
            return Ok(Became::LeftOut(format!("it is longer than {limit} bytes, the limit of a note")));
        }
        let text = self.bulk.workspace.clean(text);
        let ctx = self.because(place);
        for (path, is_beside) in self.paths(path) {
            let parsed = NotePath::new(&path, folders)?;
            let mut whole = None;
            let view = view_for(self.reader, &parsed, &ctx, &mut whole)?;
            if let Some(file) = view.get(&parsed) {
                if file.bytes() == text.as_bytes() {
                    return Ok(Became::Present);
                }
                if file.sections.iter().any(|section| section.origin != Some(Origin::Import)) {
                    continue;
                }
            }
            let decided = notes::ops::edit(&view, &parsed, text.as_bytes(), &ctx)?;
            self.drafts.extend(decided.drafts);
            return Ok(if is_beside { Became::Beside(path) } else { Became::Added });
        }
        Ok(Became::LeftOut(format!("note {path} has another text here")))
    }

    pub(super) fn file(&mut self, path: &str, text: &str, place: &str) -> memtape_index::Result<Became> {
        let limit = files::FILE_BYTES_MAX;
        if text.len() > limit {
            return Ok(Became::LeftOut(format!("it is longer than {limit} bytes, the limit of a file")));
        }
        let text = self.bulk.workspace.clean(text);
        let ctx = self.because(place);
        for (path, is_beside) in self.paths(path) {
            let parsed = FilePath::new(&path)?;
            let view = self.reader.file(&parsed, &Audience::owner(), self.point)?;
            if let Some(file) = view.get(&parsed) {
                if file.bytes == text.as_bytes() {
                    return Ok(Became::Present);
                }
                if file.origin != Some(Origin::Import) {
                    continue;
                }
            }
            let decided = files::ops::edit(&view, &parsed, text.as_bytes(), &ctx)?;
            self.drafts.extend(decided.drafts);
            return Ok(if is_beside { Became::Beside(path) } else { Became::Added });
        }
        Ok(Became::LeftOut(format!("file {path} has another text here")))
    }

    /// Returns the path of a document, and the path beside it if another document has it: `user.md`, `user-pegasus.md`.
    fn paths(&self, path: &str) -> [(String, bool); 2] {
        let (stem, ending) = path.rsplit_once('.').unwrap_or((path, "md"));
        [(path.to_owned(), false), (format!("{stem}-{}.{ending}", self.bulk.source), true)]
    }
}
