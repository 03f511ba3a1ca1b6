//! The parameters of tools, and their JSON Schema.
//!
//! Schemas are flat: clients reject references, unions at the root and lists of types.

use serde_json::{Map, Value, json};

use crate::error::{Error, Result};

/// A parameter of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The name.
    pub name: &'static str,
    /// The description, which a model reads.
    pub description: &'static str,
    /// The type of the value.
    pub kind: ParameterType,
    /// Whether a call must pass it.
    pub is_required: bool,
    /// Another name that a call may use for it, which the schema does not show.
    pub alias: Option<&'static str>,
}

/// The type of a parameter's value.
#[derive(Clone, Copy, Debug)]
pub enum ParameterType {
    /// A text.
    Text,
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// An integer from `min` to `max`.
    Integer {
        /// The least value.
        min: u32,
        /// The greatest value; `None` if there is none.
        max: Option<u32>,
    },
    /// One of several texts.
    Choice(&'static [&'static str]),
    /// An object with any fields.
    Object,
    /// A list of objects with these fields.
    Objects(&'static [Parameter]),
}

impl Parameter {
    /// Renames the alias to the name, makes an integer of a number such as `2.0`, which JSON Schema counts as one, and checks
    /// that an integer is in its range.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not.
    pub(super) fn normalise(&self, fields: &mut Map<String, Value>) -> Result<()> {
        if let Some(alias) = self.alias.filter(|_| !fields.contains_key(self.name))
            && let Some(value) = fields.remove(alias)
        {
            fields.insert(self.name.to_owned(), value);
        }
        let ParameterType::Integer { min, max } = self.kind else { return Ok(()) };
        let Some(value) = fields.get_mut(self.name) else { return Ok(()) };
        if let Some(number) = value.as_f64().filter(|number| value.is_f64() && number.fract() == 0.0) {
            // A number out of the range of integers becomes one that the tool refuses.
            #[allow(clippy::cast_possible_truncation, reason = "it saturates")]
            let integer = number as i64;
            *value = json!(integer);
        }
        // A value that is no integer, or negative where none may be, is an error of its type.
        let is_below = min > 0 && value.as_i64().is_some_and(|number| number < i64::from(min));
        let is_above = max.is_some_and(|max| value.as_u64().is_some_and(|number| number > u64::from(max)));
        if !is_below && !is_above {
            return Ok(());
        }
        let range =
            max.map_or_else(|| format!("at least {min}"), |max| format!("a number from {min} to {max}"));
        Err(Error::Invalid(format!("{} must be {range}, not {value}", self.name)))
    }

    const fn new(name: &'static str, description: &'static str, kind: ParameterType) -> Self {
        Self { name, description, kind, is_required: false, alias: None }
    }

    pub(super) const fn text(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, ParameterType::Text)
    }

    /// An integer that is not negative.
    pub(super) const fn count(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, ParameterType::Integer { min: 0, max: None })
    }

    /// An integer that is not less than 1.
    pub(super) const fn limit(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, ParameterType::Integer { min: 1, max: None })
    }

    pub(super) const fn range(name: &'static str, description: &'static str, min: u32, max: u32) -> Self {
        Self::new(name, description, ParameterType::Integer { min, max: Some(max) })
    }

    pub(super) const fn number(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, ParameterType::Number)
    }

    pub(super) const fn flag(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, ParameterType::Flag)
    }

    pub(super) const fn choice(
        name: &'static str,
        description: &'static str,
        choices: &'static [&'static str],
    ) -> Self {
        Self::new(name, description, ParameterType::Choice(choices))
    }

    pub(super) const fn object(name: &'static str, description: &'static str) -> Self {
        Self::new(name, description, ParameterType::Object)
    }

    pub(super) const fn objects(
        name: &'static str,
        description: &'static str,
        fields: &'static [Parameter],
    ) -> Self {
        Self::new(name, description, ParameterType::Objects(fields))
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
            ParameterType::Text => json!({"type": "string"}),
            ParameterType::Integer { min, max: None } => json!({"type": "integer", "minimum": min}),
            ParameterType::Integer { min, max: Some(max) } => {
                json!({"type": "integer", "minimum": min, "maximum": max})
            }
            ParameterType::Number => json!({"type": "number"}),
            ParameterType::Flag => json!({"type": "boolean"}),
            ParameterType::Choice(choices) => json!({"type": "string", "enum": choices}),
            ParameterType::Object => json!({"type": "object"}),
            ParameterType::Objects(fields) => json!({"type": "array", "items": object(fields)}),
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
