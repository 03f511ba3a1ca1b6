//! The interface of a source: the memory of another program.

use crate::error::Result;
use crate::input::Input;

pub use crate::sink::Sink;

/// The memory of another program.
///
/// A source translates; it decides nothing about what is there already, what is safe, or what is written.
pub trait Source: Sync {
    /// Returns what help, errors and the documentation say of it.
    fn about(&self) -> &'static About;

    /// Returns the name, as on the command line.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// Returns whether the ids of documents say whose they are, so that they are the same wherever the
    /// program's files lie. Otherwise the folder that is imported says it.
    fn names_owners(&self) -> bool {
        false
    }

    /// Returns whether its files may have several versions of one document, of which the newest counts: exports of
    /// different days, an export and a database.
    fn repeats_documents(&self) -> bool {
        false
    }

    /// Returns the files of the source below the path, in the order in which they are read; empty if the path holds
    /// nothing of it.
    ///
    /// # Errors
    /// [`Error::Unreadable`](crate::Error::Unreadable) if the path cannot be listed.
    fn files(&self, input: &Input) -> Result<Vec<String>>;

    /// Returns whether the path looks like this program's memory. Files of a common name are no sign.
    ///
    /// # Errors
    /// [`Error::Unreadable`](crate::Error::Unreadable) if the path cannot be listed.
    fn detects(&self, input: &Input) -> Result<bool> {
        Ok(!self.files(input)?.is_empty())
    }

    /// Reads everything, in the order in which it was written, and passes it to a sink.
    ///
    /// What is wrong with a line or a file is reported to the sink, and reading goes on.
    ///
    /// # Errors
    /// [`Error::Unreadable`](crate::Error::Unreadable) if a file that must be there cannot be read; any error of the
    /// sink.
    fn read(&self, input: &Input, sink: &mut dyn Sink) -> Result<()>;
}

/// What help, errors and the documentation say of a source.
#[derive(Debug)]
pub struct About {
    /// The name, as on the command line.
    pub name: &'static str,
    /// What it reads, as a noun phrase.
    pub reads: &'static str,
    /// The versions of the format that it reads.
    pub versions: &'static str,
    /// What becomes of each kind of item.
    pub routes: &'static [Route],
}

/// One line of the table of what becomes of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// The item, in the words of the other program.
    pub item: &'static str,
    /// The form, and how.
    pub form: &'static str,
}
