//! Changes by others between adding and removing memtape are kept.

use jsonc_parser::ast::Value as Parsed;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use memtape_setup::Client;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use crate::harness::{Home, Sample, samples};
use crate::samples::variants;

/// Positions that edits of a JSON file refer to.
struct Marks {
    /// After the opening brace of the root, of the servers and of the events.
    opened: Vec<usize>,
    /// The byte ranges of memtape's parts.
    own: Vec<(usize, usize)>,
}

fn marks(text: &str) -> Marks {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).unwrap();
    let mut marks = Marks { opened: Vec::new(), own: Vec::new() };
    visit(parsed.value.as_ref().unwrap(), text, 0, &mut marks);
    marks
}

fn visit(value: &Parsed<'_>, text: &str, depth: usize, marks: &mut Marks) {
    let Parsed::Object(object) = value else { return };
    marks.opened.push(object.range.start + 1);
    for property in &object.properties {
        match (&property.value, property.name.as_str()) {
            (_, "memtape") => marks.own.push((property.range.start, property.range.end)),
            (Parsed::Array(groups), _) if depth == 1 => {
                let own = groups.elements.iter().map(Ranged::range);
                let own = own.filter(|range| text[range.start..range.end].contains("memtape hook"));
                marks.own.extend(own.map(|range| (range.start, range.end)));
            }
            (inner, "mcpServers" | "servers" | "context_servers" | "mcp" | "hooks") => {
                visit(inner, text, depth + 1, marks);
            }
            _ => {}
        }
    }
}

/// Returns a JSON text after an edit by another program or a person.
fn edit_json(text: &str, kind: u8, at: Index, n: usize) -> String {
    let insert = |at: usize, inserted: &str| format!("{}{inserted}{}", &text[..at], &text[at..]);
    let marks = marks(text);
    let opened = *at.get(&marks.opened);
    let own = (!marks.own.is_empty()).then(|| *at.get(&marks.own));
    match (kind, own) {
        (0, _) => insert(0, &format!("// edit {n}\n")),
        (1, _) => insert(text.len(), &format!("\n/* edit {n} */")),
        (2, _) => insert(opened, &format!("\"edit {n}\": {{\"command\": \"x\"}},")),
        (3, _) => insert(opened, &format!("\n\"edit {n}\": [{{\"a\": 1}}],\n")),
        (4, _) => insert(opened, &format!(" // edit {n}\n")),
        (5, Some((start, _))) => insert(start, &format!("/* edit {n} */ ")),
        (6, Some((start, _))) => insert(start, &format!("// edit {n}\n")),
        (7, Some((_, end))) => insert(end, &format!(" // edit {n}\n")),
        (8, Some((start, end))) => {
            let comma = if text.as_bytes()[start] == b'{' { "" } else { "\"edit\": " };
            // Two of them with one name would be an error of the editor.
            match text.contains("\"edit\"") && !comma.is_empty() {
                true => text.to_owned(),
                false => insert(end, &format!(",\n{comma}{{\"command\": \"edit {n}\"}}")),
            }
        }
        (9, _) => text.trim_end().to_owned(),
        // A client that knows no comments writes the file anew.
        (10, _) if !text.contains("//") && !text.contains("/*") && !text.contains("0x") => {
            serde_json::to_string_pretty(&json_value(text)).unwrap()
        }
        _ => text.to_owned(),
    }
}

fn edit_toml(text: &str, kind: u8, n: usize) -> String {
    // In braces the server has no lines of its own.
    let own = text.find("[mcp_servers.memtape]");
    let insert = |at: usize, inserted: &str| format!("{}{inserted}{}", &text[..at], &text[at..]);
    match kind {
        0 => insert(0, &format!("# edit {n}\n")),
        1 => insert(0, &format!("edit_{n} = 1\n")),
        2 => insert(text.len(), &format!("\n# edit {n}\n")),
        3 => insert(text.len(), &format!("\n\n[edit_{n}]\na = 1\n")),
        4 if let Some(own) = own => insert(own, &format!("# edit {n}\n")),
        5 if let Some(own) = own => insert(own, &format!("[edit_{n}]\nb = 2\n\n\n")),
        6 if own.is_some() && !text.contains("timeout") => {
            insert(text.find("args").unwrap(), "timeout = 5\n")
        }
        7 if own.is_some() && !text.contains("memtape.env") => {
            insert(text.len(), "\n\n[mcp_servers.memtape.env]\nA = 'b'\n")
        }
        8 => text.trim_end().to_owned(),
        _ => text.to_owned(),
    }
}

/// Removes memtape from a parsed file, and whatever is empty then or before.
fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, inner| {
                strip(inner);
                key != "memtape"
                    && !matches!(inner, Value::Null)
                    && *inner != json!({})
                    && *inner != json!([])
            });
        }
        Value::Array(items) => {
            items.retain(|item| !item["command"].as_str().is_some_and(|line| line.contains("memtape")));
            items.iter_mut().for_each(strip);
            items.retain(|item| *item != json!({}) && *item != json!([]));
        }
        _ => {}
    }
}

fn json_value(text: &str) -> Value {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).unwrap();
    parsed.value.map(Value::from).unwrap_or_default()
}

fn parsed(sample: &Sample, text: &str) -> Value {
    let text = text.trim_start_matches('\u{feff}');
    let mut value: Value = match sample.file.ends_with("toml") {
        true => serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap(),
        false => json_value(text),
    };
    strip(&mut value);
    if value.is_null() { json!({}) } else { value }
}

/// Returns whether a text is another with some characters left out.
fn is_part_of(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().all(|c| rest.any(|next| next == c))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn removing_deletes_only_the_added_parts(
        client in prop::sample::select(&Client::ALL[..]),
        sample in any::<Index>(),
        variant in any::<Index>(),
        edits in prop::collection::vec((0..11u8, any::<Index>()), 0..4),
        has_backup in any::<bool>(),
    ) {
        let samples = samples(client);
        let sample = sample.get(&samples);
        let sample = variant.get(&variants(sample)).clone();
        let home = Home::new();
        if let Some(text) = &sample.text {
            home.write(&sample.file, text);
        }
        let Ok(plan) = home.plan_add(client) else { return Ok(()) };
        for backup in plan.apply().unwrap().into_iter().filter_map(|file| file.backup).filter(|_| !has_backup) {
            std::fs::remove_file(backup).unwrap();
        }
        let added = std::fs::read_to_string(home.path(&sample.file)).unwrap();
        let (mark, added) = added.split_at(if added.starts_with('\u{feff}') { 3 } else { 0 });
        let mut text = added.to_owned();
        for (n, (kind, at)) in edits.iter().enumerate() {
            text = match sample.file.ends_with("toml") {
                true => edit_toml(&text, *kind, n),
                false => edit_json(&text, *kind, *at, n),
            };
        }
        home.write(&sample.file, &format!("{mark}{text}"));
        let plan = home.plan_remove(client);
        prop_assert!(plan.is_ok(), "{plan:?}\n{sample:?}\n{text}");
        plan.unwrap().apply().unwrap();
        let after = std::fs::read_to_string(home.path(&sample.file)).unwrap_or_default();
        let shown = format!("{sample:?}\n--- edited\n{text}\n--- after\n{after}");
        prop_assert_eq!(parsed(&sample, &after), parsed(&sample, &text), "{}", shown);
        let is_restored = Some(&after) == sample.text.as_ref();
        prop_assert!(is_restored || is_part_of(&after, &format!("{mark}{text}")), "{}", shown);
        for n in 0..edits.len() {
            let edit = format!("edit {n}");
            let rest = after.matches(&edit).count();
            prop_assert!(rest == text.matches(&edit).count(), "{}", shown);
        }
        prop_assert!(!after.contains("memtape hook") && !after.contains("memtape\"mcp"), "{}", shown);
        prop_assert!(home.plan_remove(client).unwrap().is_unchanged(), "{}", shown);
    }
}
