//! A person's edit of a file whose content is remembered.

/// A person's edit of a file.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'e, P> {
    /// The file.
    pub path: P,
    /// The path before, if the person renamed it without changing its text.
    pub from: Option<P>,
    /// The text that the person began with; empty for a new file.
    pub base: &'e [u8],
    /// The text now, with its secrets redacted; `None` if the person deleted the file.
    pub text: Option<&'e [u8]>,
}

impl<'e, P> Edit<'e, P> {
    /// Returns the same edit with converted paths.
    ///
    /// # Errors
    /// As `convert`.
    pub fn try_map<Q, E>(&self, convert: impl Fn(&P) -> Result<Q, E>) -> Result<Edit<'e, Q>, E> {
        let from = self.from.as_ref().map(&convert).transpose()?;
        Ok(Edit { path: convert(&self.path)?, from, base: self.base, text: self.text })
    }
}
