//! Reads the layers one after the other. Each value is validated at its place and overrides an earlier one.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

use jiff::tz::TimeZone;
use memtape_worktree::git;
use serde_json::Value;
use toml::de::{DeTable, DeValue};

use super::camel;
use super::keys::KEYS;
use super::kind::{SYSTEM_ZONE, shortened};
use super::names;
use super::{Config, Loaded, Setting, SettingOrigin, Sources};
use crate::error::{Error, Result};

/// Reads the configuration.
pub(super) fn load(sources: &Sources) -> Result<Loaded> {
    let mut layers = Layers { sources, settings: BTreeMap::new(), warnings: Vec::new(), idle: Vec::new() };
    layers.defaults();
    if let Some(dir) = &sources.user_dir {
        layers.camel_file(&SettingOrigin::UserFile(dir.join("config.json")))?;
        layers.toml_file(&SettingOrigin::UserFile(dir.join("config.toml")))?;
    }
    if let Some(dir) = &sources.workspace {
        layers.camel_file(&SettingOrigin::WorkspaceFile(dir.join("memtape.json")))?;
        layers.toml_file(&SettingOrigin::WorkspaceFile(dir.join("memtape.toml")))?;
    }
    layers.environment()?;
    layers.flags()?;
    layers.finish()
}

/// The place of a value, for messages.
#[derive(Clone)]
struct Place {
    origin: SettingOrigin,
    line: Option<usize>,
}

impl Place {
    fn of(origin: &SettingOrigin) -> Self {
        Self { origin: origin.clone(), line: None }
    }

    /// Returns the place of a byte offset of a text, with its line.
    fn line(origin: &SettingOrigin, text: &str, byte: usize) -> Self {
        let before = text.as_bytes().iter().take(byte);
        Self { origin: origin.clone(), line: Some(1 + before.filter(|b| **b == b'\n').count()) }
    }

    fn invalid(&self, why: impl fmt::Display) -> Error {
        match self.line {
            Some(line) => Error::Invalid(format!("{}, line {line}: {why}", self.origin)),
            None => Error::Invalid(format!("{}: {why}", self.origin)),
        }
    }
}

/// The values read so far.
struct Layers<'a> {
    sources: &'a Sources,
    /// The settings in the order of the table.
    settings: BTreeMap<(usize, String, usize), Setting>,
    warnings: Vec<String>,
    idle: Vec<String>,
}

impl Layers<'_> {
    fn defaults(&mut self) {
        for key in KEYS {
            for name in key.names() {
                if let Some(value) = key.default(&name) {
                    let setting = Setting { key: name.clone(), value, origin: SettingOrigin::Default };
                    self.settings.insert(names::order(key, &name), setting);
                }
            }
        }
    }

    fn toml_file(&mut self, origin: &SettingOrigin) -> Result<()> {
        let Some(text) = read(origin)? else { return Ok(()) };
        let table = DeTable::parse(&text).map_err(|e| {
            let line = e.span().map(|span| Place::line(origin, &text, span.start));
            let why = e.message().lines().collect::<Vec<_>>().join(", ");
            line.unwrap_or_else(|| Place::of(origin)).invalid(format_args!("invalid TOML: {why}"))
        })?;
        self.toml_table(origin, &text, "", table.get_ref())
    }

    fn toml_table(
        &mut self,
        origin: &SettingOrigin,
        text: &str,
        group: &str,
        table: &DeTable<'_>,
    ) -> Result<()> {
        for (key, value) in table {
            let name = match group {
                "" => key.get_ref().to_string(),
                group => format!("{group}.{}", key.get_ref()),
            };
            let place = Place::line(origin, text, key.span().start);
            match value.get_ref() {
                DeValue::Table(inner) if names::find(&name).is_none() => {
                    if inner.is_empty() && !names::is_group(&name) {
                        return Err(place.invalid(names::unknown(&name)));
                    }
                    self.toml_table(origin, text, &name, inner)?;
                }
                value => self.assign(&name, &name, &json(value), &place)?,
            }
        }
        Ok(())
    }

    fn camel_file(&mut self, origin: &SettingOrigin) -> Result<()> {
        let Some(text) = read(origin)? else { return Ok(()) };
        let place = Place::of(origin);
        let document = serde_json::from_str(&text).map_err(|e| {
            let place = Place { line: Some(e.line()).filter(|line| *line > 0), ..place.clone() };
            let why = e.to_string();
            let why = why.split(" at line ").next().unwrap_or_default();
            place.invalid(format_args!("invalid JSON: {why}"))
        })?;
        let read = camel::read(&document).map_err(|why| place.invalid(why))?;
        for assigned in read.assigned {
            self.assign(&assigned.key, &assigned.written, &assigned.value, &place)?;
        }
        self.idle.extend(read.idle.iter().map(|idle| format!("{origin}: {idle}")));
        Ok(())
    }

    fn environment(&mut self) -> Result<()> {
        let mut variables: Vec<_> = self.sources.environment.iter().collect();
        variables.sort();
        for (variable, text) in variables {
            let is_ours = variable.starts_with(names::PREFIX) && !names::is_other_variable(variable);
            if !is_ours || text.is_empty() {
                continue;
            }
            let place = Place::of(&SettingOrigin::Environment(variable.clone()));
            match names::of_variable(variable) {
                Some(name) => self.assign_text(&name, text, &place)?,
                None => {
                    self.warnings.push(names::unknown_variable(variable));
                }
            }
        }
        Ok(())
    }

    fn flags(&mut self) -> Result<()> {
        let place = Place::of(&SettingOrigin::Flag);
        for flag in &self.sources.flags {
            let Some((name, text)) = flag.split_once('=') else {
                return Err(place.invalid(format_args!("invalid setting {flag:?}: expected KEY=VALUE")));
            };
            self.assign_text(name.trim(), text, &place)?;
        }
        Ok(())
    }

    fn assign_text(&mut self, name: &str, text: &str, place: &Place) -> Result<()> {
        let value = names::find(name).map_or_else(|| text.into(), |key| key.kind.value_of(text));
        self.assign(name, name, &value, place)
    }

    /// Validates a value and stores it; `written` is the key's name as it is written at that place.
    fn assign(&mut self, name: &str, written: &str, value: &Value, place: &Place) -> Result<()> {
        let key = names::find(name).ok_or_else(|| place.invalid(names::unknown(name)))?;
        let folder = match &place.origin {
            SettingOrigin::UserFile(path) => path.parent(),
            SettingOrigin::WorkspaceFile(_) if key.own_only => return Err(self.own(name, place)),
            SettingOrigin::WorkspaceFile(path) => path.parent(),
            _ => None,
        };
        let value = key.kind.read(value, folder).ok_or_else(|| {
            place.invalid(format_args!("{written} must be {}, not {}", key.kind.expects(), shortened(value)))
        })?;
        let setting = Setting { key: name.to_owned(), value, origin: place.origin.clone() };
        self.settings.insert(names::order(key, name), setting);
        Ok(())
    }

    /// Returns the error that a workspace may not set a key, with the places that may.
    fn own(&self, name: &str, place: &Place) -> Error {
        let dir = self.sources.user_dir.clone().unwrap_or_else(|| PathBuf::from("~/.config/memtape"));
        place.invalid(format_args!(
            "a workspace cannot set {name}: set it in {}, or with {} or --config",
            dir.join("config.toml").display(),
            names::variable(name)
        ))
    }

    fn finish(mut self) -> Result<Loaded> {
        let values: Vec<Setting> = self.settings.into_values().collect();
        let is_system = |setting: &Setting| setting.key == ZONE_KEY && setting.value == SYSTEM_ZONE;
        if values.iter().any(is_system) {
            self.warnings.extend(unknown_system_zone());
        }
        let mut config = Config::blank();
        for Setting { key: name, value, origin } in &values {
            let set = names::find(name).and_then(|key| (key.set)(&mut config, key.part(name)?, value));
            set.ok_or_else(|| {
                let why = format!("{name} cannot be {} on this machine", shortened(value));
                Place::of(origin).invalid(why)
            })?;
        }
        one_user_each(&config, &values)?;
        assistant_folders_of_notes(&config, &values)?;
        let mut warnings = self.warnings;
        warnings.extend(git_without_effect(&config, &values));
        Ok(Loaded { config, values, warnings, idle: self.idle })
    }
}

/// Returns the warning that somebody configured a git history that this build cannot keep.
fn git_without_effect(config: &Config, values: &[Setting]) -> Option<String> {
    if git::IS_SUPPORTED || config.files.git.is_none() {
        return None;
    }
    let setting = values.iter().find(|setting| setting.key == "files.git")?;
    let Setting { key, value, origin } = setting;
    (*origin != SettingOrigin::Default)
        .then(|| format!("{origin}: {key} = {value} has no effect: {}", git::Failure::Unsupported))
}

/// The key of the time zone.
const ZONE_KEY: &str = "time_zone";

/// Returns the warning that `TZ` names a time zone that does not exist, so that UTC is used.
fn unknown_system_zone() -> Option<String> {
    let name = env::var_os("TZ").filter(|name| !name.is_empty())?;
    TimeZone::try_system()
        .is_err()
        .then(|| format!("TZ is {:?}, which is no time zone: times are in UTC", name.to_string_lossy()))
}

/// Refuses a folder of the agent that is no folder of notes: nothing would be read from it.
fn assistant_folders_of_notes(config: &Config, values: &[Setting]) -> Result<()> {
    let notes = &config.notes;
    let unknown = |folder: &&String| !notes.folders.iter().any(|other| other == folder.as_str());
    let Some(folder) = notes.assistant_folders.iter().find(unknown) else { return Ok(()) };
    let name = "notes.assistant_folders";
    let setting = values.iter().find(|setting| setting.key == name);
    let why = format!("{name} has {folder:?}, which is not in notes.folders: add it there");
    Err(setting.map_or(Error::Invalid(why.clone()), |setting| Place::of(&setting.origin).invalid(why)))
}

/// Refuses an identity that is declared for two people.
fn one_user_each(config: &Config, values: &[Setting]) -> Result<()> {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    let stands = |user: &str| {
        let setting = values.iter().find(|setting| setting.key.strip_prefix("users.") == Some(user));
        setting.map_or(String::new(), |setting| format!("users.{user} ({})", setting.origin))
    };
    for (user, identities) in &config.users {
        for identity in identities {
            if let Some(other) = seen.insert(identity, user) {
                return Err(Error::Invalid(format!(
                    "{identity:?} is in both {} and {}: an identity belongs to one person, so remove it \
                     from one of them",
                    stands(other),
                    stands(user)
                )));
            }
        }
    }
    Ok(())
}

/// Returns the text of a file; `None` if it does not exist.
fn read(origin: &SettingOrigin) -> Result<Option<String>> {
    let path: &Path = match origin {
        SettingOrigin::UserFile(path) | SettingOrigin::WorkspaceFile(path) => path,
        _ => return Ok(None),
    };
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))),
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(e) if e.kind() == ErrorKind::InvalidData => Err(Place::of(origin).invalid("not UTF-8")),
        Err(e) => Err(Place::of(origin).invalid(format_args!("cannot read it: {e}"))),
    }
}

/// Converts a TOML value to JSON types. A value that JSON cannot represent becomes a text, which no number
/// accepts.
fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| number.as_str().into(), Value::from),
        DeValue::Float(number) => match number.as_str().parse::<f64>() {
            Ok(n) if n.is_finite() => n.into(),
            _ => number.as_str().into(),
        },
        DeValue::Boolean(yes) => (*yes).into(),
        DeValue::Datetime(when) => when.to_string().into(),
        DeValue::Array(list) => list.iter().map(|value| json(value.get_ref())).collect(),
        DeValue::Table(table) => {
            Value::Object(table.iter().map(|(k, v)| (k.get_ref().to_string(), json(v.get_ref()))).collect())
        }
    }
}
