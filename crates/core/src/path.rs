//! Names of files and folders that mean the same on every system a workspace may be copied to.
//!
//! Notes and files are texts in a working copy; the rules common to their paths are here.

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use crate::error::{Error, Result};
use crate::line::truncated;

/// The suffix of Markdown.
pub const SUFFIX: &str = ".md";
/// The endings of the names of files: those of texts.
pub const ENDINGS: [&str; 14] = [
    SUFFIX, ".txt", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".csv", ".tsv", ".xml", ".html", ".org",
    ".rst", ".log",
];
/// The maximum length of a file or folder name in bytes, as file systems limit it.
pub const PART_BYTES_MAX: usize = 255;

/// The characters that Windows forbids in names, besides control characters.
const FORBIDDEN: [char; 7] = ['<', '>', ':', '"', '|', '?', '*'];
/// The device names of Windows, whatever follows their first dot.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// The device names that a digit follows.
const PORTS: [&str; 2] = ["com", "lpt"];

/// Returns a key that is equal for two names some system treats as one: systems fold the case of letters, and
/// compose or decompose them.
#[must_use]
pub fn collision_key(name: &str) -> String {
    // Every read computes the key of every file, so ASCII names take a fast path.
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Upper and then lower case also folds letters without a simple lower case, like the long s and the sharp
    // s.
    let folded: String = name.nfd().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
    // The final form of sigma folds to sigma.
    folded.replace('ς', "σ").nfc().collect()
}

/// Returns whether a path is in Unicode Normalization Form C.
#[must_use]
pub fn is_normalized(path: &str) -> bool {
    is_nfc(path)
}

/// Returns whether two paths are the same text for Unicode: equal once composed. Some systems decompose the names of
/// files, and a keyboard composes them.
#[must_use]
pub fn is_canonically_equal(one: &str, other: &str) -> bool {
    one.nfc().eq(other.nfc())
}

/// Checks that a name is valid for a file or folder on every system.
///
/// # Errors
/// [`Error::Invalid`] with the reason; `what` names the purpose of the name.
pub(crate) fn part(name: &str, what: &str) -> Result<()> {
    let refused = |why: &str| Err(Error::Invalid(format!("its {what} {why}")));
    if name.is_empty() {
        return refused("is empty");
    }
    if name.len() > PART_BYTES_MAX {
        return refused(&format!("is {} bytes long, and the limit is {PART_BYTES_MAX}", name.len()));
    }
    if name.starts_with('.') {
        return refused("starts with a dot, which hides it");
    }
    if name.starts_with(' ') || name.ends_with([' ', '.']) {
        return refused("starts or ends with a space or a dot, which some systems drop");
    }
    if name.chars().any(is_invisible) {
        return refused("contains a control character or an invisible character");
    }
    if let Some(c) = name.chars().find(|c| FORBIDDEN.contains(c) || matches!(c, '/' | '\\')) {
        return refused(&format!("contains {c:?}, which some systems forbid"));
    }
    if is_device(name) {
        return refused("is a reserved device name on Windows");
    }
    Ok(())
}

/// Returns the parts of a relative path, or the reason why it is invalid; `place` names the folder that it is relative
/// to and must not leave, and `form` describes the expected form.
pub(crate) fn parts<'t>(text: &'t str, place: &str, form: &str) -> std::result::Result<Vec<&'t str>, String> {
    if text.is_empty() {
        return Err(format!("expected {form}"));
    }
    if text.contains('\\') {
        return Err("its parts must be separated by /, not by \\".into());
    }
    let is_drive = text.chars().nth(1) == Some(':') && text.starts_with(|c: char| c.is_ascii_alphabetic());
    if text.starts_with('/') || is_drive && matches!(text.get(2..3), None | Some("/")) {
        return Err(format!("it is relative to {place}, as {form}"));
    }
    let parts: Vec<&str> = text.split('/').collect();
    if parts.contains(&"..") {
        return Err(format!("it escapes {place} with .."));
    }
    Ok(parts)
}

/// Checks the name of a file with one of some endings, or returns why it is invalid; `what` is the plural of the
/// kind of file.
pub(crate) fn file_name(name: &str, endings: &[&str], what: &str) -> std::result::Result<(), String> {
    let Some((stem, ending)) = split_ending(name, endings) else {
        let all = match endings {
            [one] => (*one).to_owned(),
            [others @ .., last] => format!("{} or {last}", others.join(", ")),
            [] => String::new(),
        };
        return Err(format!("the names of {what} must end in {all}"));
    };
    if stem.is_empty() {
        return Err(format!("there is no name before {ending}"));
    }
    part(name, "name").map_err(|why| why.to_string())?;
    if stem.ends_with([' ', '.']) {
        return Err(format!("a name must not end with a space or a dot before {ending}"));
    }
    Ok(())
}

/// Returns a name without its ending, and the ending; `None` if it has none of `endings`.
pub(crate) fn split_ending<'n, 'e>(name: &'n str, endings: &[&'e str]) -> Option<(&'n str, &'e str)> {
    endings.iter().find_map(|ending| Some((name.strip_suffix(ending)?, *ending)))
}

/// Returns the name of a file without its ending.
#[must_use]
pub fn stem(name: &str) -> &str {
    split_ending(name, &ENDINGS).map_or(name, |(stem, _)| stem)
}

/// Returns whether a character is invisible in a listing or changes how the following text is read.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFB}' | '\u{FFFD}')
        || matches!(c, '\u{E0000}'..='\u{E0FFF}')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_lowercase();
    // Windows treats superscript digits as digits.
    let is_port = |port: &str| {
        stem.strip_prefix(port).is_some_and(|rest| {
            let mut rest = rest.chars();
            matches!(rest.next(), Some('0'..='9' | '¹' | '²' | '³')) && rest.next().is_none()
        })
    };
    DEVICES.contains(&stem.as_str()) || PORTS.into_iter().any(is_port)
}

/// Returns a text as error messages show it: quoted, and at most 60 characters long.
pub(crate) fn shown(text: &str) -> String {
    const CHARS_SHOWN: usize = 60;
    format!("{:?}", truncated(text, CHARS_SHOWN, "…"))
}
