//! Unified diffs of a text at two points.

use similar::TextDiff;

/// Returns the unified diff of two versions of a text; empty if they are equal.
///
/// `None` stands for a version that does not exist, which the diff names `/dev/null`.
pub(crate) fn unified_diff(name: &str, before: Option<&str>, after: Option<&str>) -> String {
    let header = |text: Option<&str>, side: &str| match text {
        Some(_) => format!("{side}/{name}"),
        None => "/dev/null".to_owned(),
    };
    let names = (header(before, "a"), header(after, "b"));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    if before == after {
        return String::new();
    }
    TextDiff::from_lines(before, after).unified_diff().header(&names.0, &names.1).to_string()
}
