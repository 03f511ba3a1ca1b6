//! The page `docs/CONFIGURATION.md`, generated from the tables.

use super::camel::{self, Means};
use super::keys::{KEYS, Key};
use super::kind::shown;
use super::names;

const LAYERS: &str = "\
# Configuration

memtape runs without any configuration.
`memtape config` prints every key with its value and where it comes from, `memtape config KEY` one of them.

A value is looked for in these places.
A later place wins, key by key:

1. the default,
2. your own file, `$XDG_CONFIG_HOME/memtape/config.toml`, or `~/.config/memtape/config.toml`,
3. the workspace's file, `memtape.toml` beside `tape.jsonl`,
4. the environment: `MEMTAPE_` and the key in capitals, with `_` for each dot. A variable that is empty counts as not set,
5. flags: `--config KEY=VALUE`, as often as you like.

A setting that is marked *own* concerns money, API keys, network addresses, or paths outside of the workspace.
A workspace may be a copy of somebody else's, so such a key in its file is an error: set it in one of the other places.

A key that does not exist is an error, and so is a value that does not fit.
A variable that begins with `MEMTAPE_` and sets no key is a warning; `MEMTAPE_WORKSPACE` names the workspace, `MEMTAPE_UPSTREAM` its upstream, and `MEMTAPE_PAGER` the pager (if it is not set, `PAGER` does; an empty one turns the pager off).

## Keys

";

const NAMES: &str = "
`FORM` is a form of memory: FORMS.
Weights that add up to 1 give scores from 0 to 1.

`NAME` is a name you choose, in small letters where a variable sets it.
Variables and flags separate the identities of a list by commas.
An identity is a channel and an id on it, each percent-encoded as in a session's label.

A relative path in a file starts at the directory of that file; in a variable or a flag, at the working directory.

## A memtape.toml

```toml
";

/// A sample file that shows how each kind of value is written.
pub(super) const SAMPLE: &str = "\
time_zone = \"Europe/Lisbon\"

[zone]
retention_days = 90

[recall]
max_results = 12

# Who asks mostly for what is new.
[recall.weights.zone]
relevance = 0.5
importance = 0.2
recency = 0.3

# One person on two channels.
[users]
ana = [\"telegram:4711\", \"discord:ana\"]
";

const CAMEL: &str = "\
```

## nanobot's JSON

`config.json` beside your `config.toml`, and `memtape.json` beside `memtape.toml`, are read too.
They have the shape of nanobot's `config.json`: `{\"memory\": {\"recall\": {\"maxResults\": 8}}}`.
Names in snake_case are read as well.
Where both files of a place set a key, the TOML one wins.
What stands beside `memory` is passed over.
A key without a counterpart is a warning, given once a workspace and by `memtape config`; one that nanobot does not have is an error.

| nanobot | memtape |
|---|---|
";

/// Returns the configuration page as Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = String::from(LAYERS);
    page += "| key | meaning | takes | default | variable |\n|---|---|---|---|---|\n";
    for key in KEYS {
        let variable = names::variable(key.name);
        let own = if key.own_only { " *own*" } else { "" };
        let kind = key.kind.expects();
        let (name, meaning, default) = (key.name, key.meaning, default(key));
        page += &format!("| `{name}`{own} | {meaning} | {kind} | {default} | `{variable}` |\n");
    }
    let forms: Vec<_> = memtape_core::Form::all().map(|form| format!("`{form}`")).collect();
    page += &NAMES.replace("FORMS", &forms.join(", "));
    page += SAMPLE;
    page += CAMEL;
    for row in camel::ROWS {
        let here = match row.means {
            Means::Key(key) => format!("`{key}`"),
            Means::Embedding => {
                "`recall.backend`: true is `hybrid`; false is `sqlite_fts` where `memory.backend` says nothing".into()
            }
            Means::Nothing(why) => format!("no effect: {why}"),
        };
        page += &format!("| `memory.{}` | {here} |\n", row.name);
    }
    page
}

/// Returns the default of a key, or the default for each form.
fn default(key: &Key) -> String {
    let names = key.names();
    let defaults = names.iter().filter_map(|name| {
        let value = format!("`{}`", shown(&key.default(name)?));
        Some(if names.len() > 1 { format!("{} {value}", key.part(name)?) } else { value })
    });
    let defaults: Vec<_> = defaults.collect();
    if defaults.is_empty() { "none".into() } else { defaults.join(", ") }
}
