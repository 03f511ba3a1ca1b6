//! The parameters of tools, and their JSON Schema.
//!
//! Schemas are flat: clients reject references, unions at the root and lists of types.

use serde_json::{Map, Value, json};

/// A parameter of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// The description, which a model reads.
    pub description: &'static str,
    /// The type of the value.
    pub kind: Kind,
    /// Whether a call must pass it.
    pub is_required: bool,
    /// Another name that a call may use for it, which the schema does not show.
    pub alias: Option<&'static str>,
}

/// The type of a parameter's value.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text.
    Text,
    /// An integer that is not negative.
    Count,
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// A whole number from one to another.
    Range(usize, usize),
    /// One of several texts.
    Choice(&'static [&'static str]),
    /// An object with any fields.
    Object,
    /// A list of objects with these fields.
    Objects(&'static [Parameter]),
}

impl Parameter {
    /// Renames the alias to the name, and makes an integer of a number such as `2.0`, which JSON Schema counts as one.
    pub(super) fn normalise(&self, fields: &mut Map<String, Value>) {
        if let Some(alias) = self.alias.filter(|_| !fields.contains_key(self.name))
            && let Some(value) = fields.remove(alias)
        {
            fields.insert(self.name.to_owned(), value);
        }
        let (Kind::Count | Kind::Range(..)) = self.kind else { return };
        let Some(value) = fields.get_mut(self.name) else { return };
        if let Some(number) = value.as_f64().filter(|number| value.is_f64() && number.fract() == 0.0) {
            // A number out of the range of integers becomes one that the tool refuses.
            #[allow(clippy::cast_possible_truncation, reason = "it saturates")]
            let integer = number as i64;
            *value = json!(integer);
        }
    }

    const fn new(name: &'static str, description: &'static str, kind: Kind) -> Self {
        Self { name, description, kind, is_required: false, alias: None }
    }

    pub(super) const fn text(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, Kind::Text)
    }

    pub(super) const fn count(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, Kind::Count)
    }

    pub(super) const fn range(name: &'static str, description: &'static str, min: usize, max: usize) -> Self {
        Self::new(name, description, Kind::Range(min, max))
    }

    pub(super) const fn number(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, Kind::Number)
    }

    pub(super) const fn flag(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, Kind::Flag)
    }

    pub(super) const fn choice(
        name: &'static str,
        description: &'static str,
        choices: &'static [&'static str],
    ) -> Self {
        Self::new(name, description, Kind::Choice(choices))
    }

    pub(super) const fn object(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, Kind::Object)
    }

    pub(super) const fn objects(
        name: &'static str,
        description: &'static str,
        fields: &'static [Parameter],
    ) -> Self {
        Self::new(name, description, Kind::Objects(fields))
    }

    pub(super) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// Returns the same parameter, with another name that a call may use.
    pub(super) const fn also(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Count => json!({"type": "integer", "minimum": 0}),
            Kind::Range(min, max) => json!({"type": "integer", "minimum": min, "maximum": max}),
            Kind::Number => json!({"type": "number"}),
            Kind::Flag => json!({"type": "boolean"}),
            Kind::Choice(choices) => json!({"type": "string", "enum": choices}),
            Kind::Object => json!({"type": "object"}),
            Kind::Objects(fields) => json!({"type": "array", "items": object(fields)}),
        };
        schema["description"] = self.description.into();
        schema
    }
}

/// Returns the schema of an object with these fields and no others.
pub(super) fn object(fields: &[Parameter]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.to_owned(), field.schema())).collect();
    let required: Vec<_> = fields.iter().filter(|field| field.is_required).map(|field| field.name).collect();
    let mut schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}
