//! Styles on a terminal: the pieces of a line, and whether colors are printed.
//!
//! **Invariant.** Only this module writes escape sequences. Texts of memories are cleaned of control characters before
//! they are styled, so that no memory can send escape sequences to a terminal.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use unicode_width::UnicodeWidthChar as _;

/// When colors are printed.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set; everywhere if CLICOLOR_FORCE is set
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// Returns whether colors are printed to a stream.
    pub(crate) fn is_on(self, stream: &impl anstream::stream::RawStream) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        }
    }

    /// Returns the same choice for clap's own messages.
    pub(crate) fn choice(self) -> clap::ColorChoice {
        match self {
            Self::Auto => clap::ColorChoice::Auto,
            Self::Always => clap::ColorChoice::Always,
            Self::Never => clap::ColorChoice::Never,
        }
    }
}

/// The role of a piece of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Plain,
    Heading,
    Id,
    Scope,
    Warning,
    Error,
    Hint,
    Added,
    Removed,
    Place,
}

impl Role {
    fn style(self) -> Style {
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        match self {
            Self::Plain => Style::new(),
            Self::Heading => Style::new().bold(),
            Self::Id => color(AnsiColor::Blue),
            Self::Scope => color(AnsiColor::Magenta),
            Self::Warning => color(AnsiColor::Yellow).bold(),
            Self::Error => color(AnsiColor::Red).bold(),
            Self::Hint | Self::Place => color(AnsiColor::Cyan),
            Self::Added => color(AnsiColor::Green),
            Self::Removed => color(AnsiColor::Red),
        }
    }
}

/// A line in pieces, each with its role.
#[derive(Clone, Default)]
pub(crate) struct Line(Vec<(Role, String)>);

impl Line {
    /// Appends a piece.
    pub(crate) fn with(mut self, role: Role, text: impl Into<String>) -> Self {
        self.0.push((role, text.into()));
        self
    }

    /// Appends plain text.
    pub(crate) fn text(self, text: impl Into<String>) -> Self {
        self.with(Role::Plain, text)
    }

    /// Puts the line on one line: each run of white space becomes one space.
    pub(crate) fn on_one_line(self) -> Self {
        let mut ends_with_space = true;
        let mut pieces = Vec::with_capacity(self.0.len());
        for (role, text) in self.0 {
            let mut joined = String::with_capacity(text.len());
            for c in text.chars() {
                let is_space = c.is_whitespace();
                if !is_space {
                    joined.push(c);
                } else if !ends_with_space {
                    joined.push(' ');
                }
                ends_with_space = is_space;
            }
            pieces.push((role, joined));
        }
        if let Some((_, last)) = pieces.iter_mut().rev().find(|(_, text)| !text.is_empty()) {
            last.truncate(last.trim_end().len());
        }
        Self(pieces)
    }

    /// Cuts the line to a number of columns. The rest is replaced by `…`.
    pub(crate) fn cut(self, columns: usize) -> Self {
        let width = |text: &str| text.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>();
        if self.0.iter().map(|(_, text)| width(text)).sum::<usize>() <= columns {
            return self;
        }
        let mut left = columns.saturating_sub(1);
        let mut pieces = Vec::new();
        for (role, text) in self.0 {
            let mut kept = String::new();
            let mut is_whole = true;
            for c in text.chars() {
                let wide = c.width().unwrap_or(0);
                if wide > left {
                    is_whole = false;
                    break;
                }
                left -= wide;
                kept.push(c);
            }
            if !is_whole {
                kept.push('…');
                pieces.push((role, kept));
                break;
            }
            pieces.push((role, kept));
        }
        Self(pieces)
    }

    /// Renders the line, with escape sequences if `is_colored`. `clean` cleans the texts.
    pub(crate) fn render(&self, is_colored: bool, clean: impl Fn(&str) -> String) -> String {
        let mut out = String::new();
        for (role, text) in &self.0 {
            let text = clean(text);
            match is_colored && *role != Role::Plain && !text.is_empty() {
                true => {
                    let style = role.style();
                    out.push_str(&format!("{style}{text}{style:#}"));
                }
                false => out.push_str(&text),
            }
        }
        out
    }
}

/// Returns a line of a unified diff with its role.
pub(crate) fn diff_line(line: &str) -> Line {
    let role = match line {
        _ if line.starts_with("+++") || line.starts_with("---") => Role::Heading,
        _ if line.starts_with('+') => Role::Added,
        _ if line.starts_with('-') => Role::Removed,
        _ if line.starts_with("@@") => Role::Place,
        _ => Role::Plain,
    };
    Line::default().with(role, line)
}

/// Returns a message of standard error with the role of its first word: `warning:`, `error:`, `hint:` or `note:`.
pub(crate) fn message(text: &str) -> Line {
    let roles =
        [("warning:", Role::Warning), ("error:", Role::Error), ("hint:", Role::Hint), ("note:", Role::Hint)];
    for (word, role) in roles {
        if let Some(rest) = text.strip_prefix(word) {
            return Line::default().with(role, word).text(rest);
        }
    }
    Line::default().text(text)
}
