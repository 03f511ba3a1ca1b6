//! Finds repositories and reads their configuration without libgit2, for builds without the feature `git`.
//!
//! Only the configuration file of the repository itself is read: neither the files that it includes, nor the
//! configuration of the user.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the directory that the work trees of the repository around a directory share, and the URL of its
/// remote `origin`; `None` if there is no repository.
pub(super) fn discover(dir: &Path) -> Option<(PathBuf, Option<String>)> {
    let dir = dir.canonicalize().ok()?;
    let at = |folder: &Path| shared_directory(&folder.join(".git")).or_else(|| shared_directory(folder));
    let shared = dir.ancestors().find_map(at)?;
    let url = value(&shared.join("config"), "remote.origin.url").ok().flatten();
    Some((shared, url))
}

/// Returns the directory that the work trees of a repository share; `None` if there is no repository at the path.
/// The path may be a file that points to the repository.
fn shared_directory(path: &Path) -> Option<PathBuf> {
    let path = match fs::read_to_string(path) {
        Ok(text) => path.parent()?.join(text.strip_prefix("gitdir:")?.trim()),
        Err(_) => path.to_owned(),
    };
    let shared = match fs::read_to_string(path.join("commondir")) {
        Ok(text) => path.join(text.trim()),
        Err(_) => path.clone(),
    };
    let is_repository = fs::symlink_metadata(path.join("HEAD")).is_ok()
        && ["objects", "refs"].iter().all(|folder| shared.join(folder).is_dir());
    if is_repository { shared.canonicalize().ok() } else { None }
}

/// Returns the last value of a key such as `remote.origin.url` in a configuration file; `None` if it has none. The
/// section and the name of the key must be in lower case.
///
/// # Errors
/// Any error of reading the file; [`io::ErrorKind::InvalidData`] if it is not a git configuration.
pub(super) fn value(file: &Path, key: &str) -> io::Result<Option<String>> {
    let bytes = fs::read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    value_in(text.strip_prefix('\u{feff}').unwrap_or(&text), key)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "it is not a git configuration"))
}

/// Returns the last value of a key in a configuration; `None` if the text is not a configuration.
fn value_in(text: &str, key: &str) -> Option<Option<String>> {
    let mut rest = text;
    let mut section = String::new();
    let mut last = None;
    loop {
        rest = rest.trim_ascii_start();
        match rest.chars().next() {
            None => return Some(last),
            Some('#' | ';') => rest = after_line(rest),
            Some('[') => (section, rest) = read_section(&rest[1..])?,
            Some(_) => {
                let (name, value);
                (name, value, rest) = read_variable(rest)?;
                if format!("{section}.{name}") == key {
                    last = Some(value);
                }
            }
        }
    }
}

/// Returns what follows the first line.
fn after_line(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}

/// Reads a section's header after its `[`: `remote "origin"]` is `remote.origin`.
fn read_section(text: &str) -> Option<(String, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !"-.".contains(c))?;
    let mut section = text[..end].to_ascii_lowercase();
    let Some(quoted) = text[end..].trim_start_matches([' ', '\t']).strip_prefix('"') else {
        return Some((section, text[end..].strip_prefix(']')?));
    };
    section.push('.');
    let mut chars = quoted.chars();
    loop {
        match chars.next()? {
            '"' => return Some((section, chars.as_str().strip_prefix(']')?)),
            '\n' => return None,
            '\\' => section.push(chars.next()?),
            c => section.push(c),
        }
    }
}

/// Reads a variable: its name in lower case and its value.
fn read_variable(text: &str) -> Option<(String, String, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
    let name = text[..end].to_ascii_lowercase();
    let rest = text[end..].trim_start_matches([' ', '\t', '\r']);
    match rest.chars().next() {
        _ if name.is_empty() => None,
        Some('=') => read_value(&rest[1..]).map(|(value, rest)| (name, value, rest)),
        // A name alone means `true`.
        None | Some('\n' | '#' | ';') => Some((name, String::new(), after_line(rest))),
        Some(_) => None,
    }
}

/// Reads a value, which may be quoted and continue on the next line.
fn read_value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    // The length without the white space at the end.
    let mut len = 0;
    let mut is_quoted = false;
    let mut chars = text.trim_start_matches([' ', '\t']).chars();
    loop {
        let rest = chars.as_str();
        match chars.next() {
            None | Some('\n') if is_quoted => return None,
            None | Some('\n') => break,
            Some('#' | ';') if !is_quoted => {
                chars = after_line(rest).chars();
                break;
            }
            Some('"') => is_quoted = !is_quoted,
            Some('\\') => {
                match chars.next()? {
                    '\n' => continue,
                    '\r' if chars.next()? == '\n' => continue,
                    'n' => value.push('\n'),
                    't' => value.push('\t'),
                    'b' => value.push('\u{8}'),
                    c @ ('"' | '\\') => value.push(c),
                    _ => return None,
                }
                len = value.len();
            }
            Some(c) => {
                value.push(c);
                if is_quoted || !c.is_ascii_whitespace() {
                    len = value.len();
                }
            }
        }
    }
    value.truncate(len);
    Some((value, chars.as_str()))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use git2::{Config, ErrorCode, Repository};

    use super::*;

    /// Compares a value with that of libgit2.
    fn assert_same(text: &str, key: &str) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config");
        fs::write(&file, text).unwrap();
        let expected = match Config::open(&file).and_then(|config| config.get_string(key)) {
            Ok(value) => Some(Some(value)),
            Err(e) if e.code() == ErrorCode::NotFound => Some(None),
            Err(_) => None,
        };
        assert_eq!(value(&file, key).ok(), expected, "{text:?}");
    }

    #[test]
    fn values_are_those_of_libgit2() {
        for text in [
            "",
            "# nothing\n",
            "[remote \"origin\"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n",
            "[core]\n\tbare = false\n[remote \"other\"]\nurl = b\n[remote \"origin\"]\nurl=a\n",
            "[Remote \"origin\"]\nURL = a\n",
            "[remote \"Origin\"]\nurl = a\n",
            "[remote.origin]\nurl = a\n",
            "[remote \"origin\"]\nurl = a\nurl = b\n[remote \"origin\"] url = c\n",
            "[remote \"origin\"]\nurl = a # a comment\n; another\n",
            "[remote \"origin\"]\nurl = \"a b \" ; quoted\n",
            "[remote \"origin\"]\nurl = \"a#b\"c  \n",
            "[remote \"origin\"]\nurl = a\\tb\\\\c\\\"d\n",
            "[remote \"origin\"]\nurl = a\\\nb\n",
            "[remote \"origin\"]\r\nurl = a\r\n",
            "[remote \"or\\\"igin\"]\nurl = a\n[remote \"origin\"]\nurl = b",
            "\u{feff}[remote \"origin\"]\nurl = a\n",
            "[core]\nbare\n[remote \"origin\"]\nurl = a\n",
            "[remote \"origin\"\nurl = a\n",
            "[remote \"origin\"]\nurl = a\\x\n",
            "[remote \"origin\"]\n= a\n",
        ] {
            assert_same(text, "remote.origin.url");
        }
        assert_same("[memtape]\n\tworkspace = 0123abcd\n", "memtape.workspace");
    }

    #[test]
    fn repositories_are_those_that_libgit2_finds() {
        let dir = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| {
            let own = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"];
            let done =
                Command::new("git").current_dir(dir.path()).args(own).args(arguments).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        git(&["init", "-q", "cloned/here"]);
        git(&["-C", "cloned/here", "remote", "add", "origin", "git@example.com:me/app.git"]);
        git(&["-C", "cloned/here", "commit", "-q", "--allow-empty", "-m", "first"]);
        git(&["-C", "cloned/here", "worktree", "add", "-q", "../../tree"]);
        git(&["init", "-q", "--bare", "bare.git"]);
        git(&["init", "-q", "--separate-git-dir", "kept.git", "separate"]);
        git(&["init", "-q", "mine"]);
        for folder in ["cloned/here/src/bin", "mine/src", "empty/.git"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        for folder in [
            "",
            "cloned",
            "cloned/here",
            "cloned/here/src/bin",
            "cloned/here/.git/objects",
            "tree",
            "bare.git",
            "bare.git/refs",
            "separate",
            "mine",
            "mine/src",
            "empty",
            "missing",
        ] {
            let folder = dir.path().join(folder);
            let expected = Repository::discover(&folder).ok().map(|repository| {
                let origin = repository.find_remote("origin").ok();
                let url = origin.and_then(|origin| origin.url().ok().map(str::to_owned));
                (repository.commondir().to_owned(), url)
            });
            assert_eq!(discover(&folder), expected, "{}", folder.display());
        }
    }
}
