//! The fenced code blocks of a Markdown document.

use std::path::Path;

use super::read;
use crate::run::Result;

/// A Markdown document.
pub(super) struct Document {
    pub(super) text: String,
    pub(super) blocks: Vec<Block>,
}

/// A fenced code block.
pub(super) struct Block {
    /// The heading that precedes the block, without `#`.
    pub(super) section: String,
    /// The info string of the fence.
    pub(super) language: String,
    /// The line number of the opening fence, from 1.
    pub(super) line: usize,
    /// The lines inside the fences, each with its line feed.
    pub(super) text: String,
}

impl Document {
    /// Reads a document.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = read(path)?;
        let mut blocks = Vec::new();
        let mut section = String::new();
        let mut open: Option<Block> = None;
        for (line, number) in text.lines().zip(1..) {
            match (line.strip_prefix("```"), open.take()) {
                (Some(_), Some(block)) => blocks.push(block),
                (Some(language), None) => {
                    let (section, language) = (section.clone(), language.to_owned());
                    open = Some(Block { section, language, line: number, text: String::new() });
                }
                (None, Some(mut block)) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                    open = Some(block);
                }
                (None, None) if line.starts_with('#') => {
                    line.trim_start_matches(['#', ' ']).clone_into(&mut section);
                }
                (None, None) => {}
            }
        }
        match open {
            Some(block) => Err(format!("{}: the block of line {} has no end", path.display(), block.line)),
            None => Ok(Self { text, blocks }),
        }
    }

    /// Returns the blocks of a language.
    pub(super) fn blocks_in(&self, language: &str) -> impl Iterator<Item = &Block> {
        self.blocks.iter().filter(move |block| block.language == language)
    }
}
