//! API keys: read from the environment or a file of the owner, and never shown.

use std::fmt;
use std::fs;
use std::path::Path;

use memtape::config::{EndpointConfig, Provider};

use crate::error::{Error, Result};

/// The replacement for a key in a text.
const REDACTED: &str = "[redacted:api_key]";
/// Servers mask a key in their messages, but keep its first characters.
const PREFIX_CHARS: usize = 6;

/// An API key. Its text is not printed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl Key {
    /// Reads the key of an endpoint; `None` if it has none.
    ///
    /// # Errors
    /// [`Error::Configuration`] if the configured variable is not set, or if the file cannot be read, is empty or is
    /// readable by others.
    pub(crate) fn read(
        group: &str,
        config: &EndpointConfig,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>> {
        if let Some(path) = &config.api_key_file {
            return of_file(path).map(Some);
        }
        let value = |name: &str| environment(name).filter(|value| !value.trim().is_empty());
        if let Some(name) = &config.api_key_env {
            let unset = || Error::Configuration(format!("the environment variable {name} is not set"));
            return Ok(Some(Self(value(name).ok_or_else(unset)?.trim().to_owned())));
        }
        // The default variables are used only for the default address.
        let usual = match (config.provider, &config.base_url) {
            (_, Some(_)) | (None, _) => return Ok(None),
            (Some(Provider::OpenAi), None) => "OPENAI_API_KEY",
            (Some(Provider::Anthropic), None) => "ANTHROPIC_API_KEY",
        };
        let unset = || {
            Error::Configuration(format!(
                "no API key: set {usual}, {group}.api_key_env or {group}.api_key_file"
            ))
        };
        Ok(Some(Self(value(usual).ok_or_else(unset)?.trim().to_owned())))
    }

    /// Returns the text of the key, for a header.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Returns a text without the key, and without a masked form of it.
    pub(crate) fn remove_from(&self, text: &str) -> String {
        let text = text.replace(&self.0, REDACTED);
        let prefix: String = self.0.chars().take(PREFIX_CHARS).collect();
        if prefix.chars().count() < PREFIX_CHARS || !text.contains(&prefix) {
            return text;
        }
        let words = text.split(' ').map(|word| if word.contains(&prefix) { REDACTED } else { word });
        words.collect::<Vec<_>>().join(" ")
    }
}

fn of_file(path: &Path) -> Result<Key> {
    let unreadable = |e: std::io::Error| {
        Error::Configuration(format!("cannot read the API key in {}: {e}", path.display()))
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(path).map_err(unreadable)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(Error::Configuration(format!(
                "others can read the API key in {0}: run `chmod 600 {0}`",
                path.display()
            )));
        }
    }
    let text = fs::read_to_string(path).map_err(unreadable)?;
    let key = text.lines().map(str::trim).find(|line| !line.is_empty());
    key.map(|key| Key(key.to_owned()))
        .ok_or_else(|| Error::Configuration(format!("{} contains no API key", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_in_no_text() {
        let key = Key("sk-proj-abcdef123456".into());
        assert_eq!(format!("{key:?}"), "[redacted:api_key]");
        assert_eq!(
            key.remove_from("Incorrect API key provided: sk-proj-********3456. Find yours at"),
            "Incorrect API key provided: [redacted:api_key] Find yours at"
        );
        assert_eq!(key.remove_from("Bearer sk-proj-abcdef123456"), "Bearer [redacted:api_key]");
    }

    #[test]
    fn another_address_does_not_get_the_usual_key() {
        let environment = |name: &str| (name == "OPENAI_API_KEY").then(|| "secret".to_owned());
        let usual = EndpointConfig { provider: Some(Provider::OpenAi), ..EndpointConfig::default() };
        assert_eq!(Key::read("model", &usual, &environment).unwrap().unwrap().text(), "secret");
        let local = EndpointConfig { base_url: Some("http://127.0.0.1:11434/v1".into()), ..usual.clone() };
        assert!(Key::read("model", &local, &environment).unwrap().is_none());
        let other = EndpointConfig { api_key_env: Some("MISSING".into()), ..usual };
        assert!(Key::read("model", &other, &environment).is_err());
    }
}
