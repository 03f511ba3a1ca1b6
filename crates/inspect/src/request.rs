//! Requests as the pages read them, and links to pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::ROOT;

/// The characters of a value in a link that need no encoding.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A request for a page or an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The path below [`ROOT`]; empty for the first page.
    pub path: String,
    /// Whether it asks for an action.
    pub is_post: bool,
    /// The fields of the query, or of the form of an action.
    pub fields: Fields,
}

/// Named fields, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Returns the value of a field; `None` if it is missing or empty.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// Returns the fields that have a value, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        all.filter(|(_, value)| !value.is_empty())
    }

    /// Returns the number in a field; `None` if it is missing or no number that an entry could have.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok().filter(|number| i64::try_from(*number).is_ok())
    }
}

impl FromIterator<(String, String)> for Fields {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(fields: I) -> Self {
        Self(fields.into_iter().collect())
    }
}

/// Returns a link to a path of the inspector, with the fields that have a value. A request may name them.
pub(crate) fn link(path: &str, fields: &[(&str, &str)]) -> String {
    let mut link = format!("{ROOT}{path}");
    let mut separator = '?';
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        link.push(separator);
        link.extend(utf8_percent_encode(name, PLAIN));
        link.push('=');
        link.extend(utf8_percent_encode(value, PLAIN));
        separator = '&';
    }
    link
}

/// Returns a path that a form wants to return to, if it is one of the inspector.
pub(crate) fn path_of_inspector(path: &str) -> Option<&str> {
    let rest = path.strip_prefix(ROOT)?;
    let is_below = rest.is_empty() || rest.starts_with(['/', '?']);
    (is_below && path.chars().all(|c| c.is_ascii_graphic() && c != '\\')).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_encodes_every_value() {
        assert_eq!(link("/memory", &[("ref", "notes:a/b.md#x y\"<&"), ("at", "")]), {
            "/inspect/memory?ref=notes%3Aa%2Fb.md%23x%20y%22%3C%26"
        });
        assert_eq!(link("", &[]), "/inspect");
    }

    #[test]
    fn a_form_returns_only_to_the_inspector() {
        for (path, is_ours) in [
            ("/inspect", true),
            ("/inspect?at=4", true),
            ("/inspect/memory?ref=zone%3Aab", true),
            ("/inspector", false),
            ("//evil.example/inspect", false),
            ("https://evil.example/inspect", false),
            ("/inspect/\r\nSet-Cookie: a=b", false),
            ("/inspect/\\evil", false),
            ("", false),
        ] {
            assert_eq!(path_of_inspector(path).is_some(), is_ours, "{path:?}");
        }
    }
}
