//! The names of keys and of their environment variables, and suggestions for misspelt names.

use super::keys::{FORM, KEYS, Key, NAME};

/// Minimum similarity, from 0 to 1, for a name to be suggested.
const LIKE: f64 = 0.6;
/// The prefix of the environment variables.
pub(super) const PREFIX: &str = "MEMTAPE_";
/// The variables with that prefix that are no keys.
const OTHER_VARIABLES: [&str; 3] = ["MEMTAPE_WORKSPACE", "MEMTAPE_PAGER", "MEMTAPE_UPSTREAM"];

/// Returns the key with a full name.
pub(super) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.part(name).is_some())
}

/// Returns the sort key of a full name: the order of the table, with all keys of one form together.
pub(super) fn order(key: &Key, name: &str) -> (usize, String, usize) {
    let start = |key: &Key| [FORM, NAME].iter().find_map(|p| Some(key.name.split_once(p)?.0));
    let group = start(key).unwrap_or(key.name);
    let first = KEYS.iter().position(|other| start(other).unwrap_or(other.name) == group);
    let row = KEYS.iter().position(|other| std::ptr::eq(other, key));
    let part = key.part(name).unwrap_or_default();
    (first.unwrap_or_default(), part.to_owned(), row.unwrap_or_default())
}

/// Returns whether there are keys below a name.
pub(super) fn is_group(name: &str) -> bool {
    KEYS.iter().any(|key| lies_under(key.name, name) || key.names().iter().any(|key| lies_under(key, name)))
}

fn lies_under(key: &str, group: &str) -> bool {
    key.strip_prefix(group).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns the environment variable that sets a key.
pub(super) fn variable(name: &str) -> String {
    format!("{PREFIX}{}", name.to_uppercase().replace('.', "_"))
}

/// Returns the full name that an environment variable sets. A name that the owner chooses is in lower case.
pub(super) fn of_variable(name: &str) -> Option<String> {
    let chosen = |key: &Key| {
        let before = key.name.strip_suffix(NAME)?;
        let part = name.strip_prefix(&variable(before)).filter(|part| !part.is_empty())?;
        Some(format!("{before}{}", part.to_lowercase()))
    };
    let named = KEYS.iter().flat_map(Key::names).find(|full| variable(full) == name);
    named.or_else(|| KEYS.iter().find_map(chosen))
}

/// Returns whether an environment variable belongs to memtape without being a key.
pub(super) fn is_other_variable(name: &str) -> bool {
    OTHER_VARIABLES.contains(&name)
}

/// Returns the message that there is no such key, with a suggestion.
pub(super) fn unknown(name: &str) -> String {
    if is_group(name) {
        let rows = KEYS.iter().map(|key| key.name.to_owned());
        let mut under: Vec<_> = rows.filter(|key| lies_under(key, name)).collect();
        if under.is_empty() {
            under = KEYS.iter().flat_map(Key::names).filter(|key| lies_under(key, name)).collect();
        }
        return format!("{name:?} is a group of keys: {}", under.join(", "));
    }
    let full_names = KEYS.iter().flat_map(Key::names);
    let chosen = KEYS.iter().filter_map(|key| {
        let (group, part) = name.split_once('.').filter(|(_, part)| !part.is_empty())?;
        let of_names = key.name.strip_suffix(NAME)?.trim_end_matches('.');
        nearest(group, [of_names.to_owned()]).map(|group| format!("{group}.{part}"))
    });
    match nearest(name, full_names.chain(chosen)) {
        Some(nearest) => format!("unknown key {name:?}: did you mean {nearest:?}?"),
        None => format!("unknown key {name:?}: `memtape config` lists the keys"),
    }
}

/// Returns the message that a variable sets no key, with a suggestion.
pub(super) fn unknown_variable(name: &str) -> String {
    // The common prefix would make all names similar, so it is not compared.
    let ours = |name: &str| name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
    let known = KEYS.iter().flat_map(Key::names).map(|key| ours(&variable(&key)));
    match nearest(&ours(name), known) {
        Some(nearest) => format!(
            "environment variable {name} sets no key: did you mean \
                                  {PREFIX}{nearest}?"
        ),
        None => format!("environment variable {name} sets no key"),
    }
}

/// Returns the most similar name; `None` if none is similar enough.
pub(crate) fn nearest(name: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let alike = |known: &str| {
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let whole = strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase());
        // A name in the wrong group counts less than one with a wrong letter.
        whole.max(0.8 * strsim::normalized_damerau_levenshtein(&last(name), &last(known)))
    };
    let scored = known.into_iter().map(|known| (alike(&known), known));
    // If several names are equally similar, the first one wins.
    let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|(score, _)| *score >= LIKE).map(|(_, name)| name)
}
