//! The `export` command.

use std::path::Path;

use memtape::export::Format;
use memtape::{At, Export, Workspace};
use serde_json::json;

use super::audience;
use crate::args::ExportArgs;
use crate::output::{Failure, Output, Result, counted};

pub(super) fn export(workspace: &Workspace, output: &Output, at: &At, args: &ExportArgs) -> Result<()> {
    let format = args.format.format();
    let exported = workspace.export(
        &Export {
            audience: audience(workspace, &args.audience)?,
            format,
            history: args.history,
            confidential: args.confidential,
        },
        at,
    )?;
    let left_out = match exported.left_out {
        0 => None,
        n => Some(format!(
            "{} left out: --confidential exports them",
            counted(n as u64, "confidential fact was", "confidential facts were")
        )),
    };
    if let Some(left_out) = left_out {
        output.note(left_out);
    }
    let to = args.out.as_deref().unwrap_or(Path::new(format.default_path()));
    if to == Path::new("-") {
        let Some(text) = exported.text() else {
            return Err(Failure::Usage(
                "a folder of files does not go to standard output: name it with --out".into(),
            ));
        };
        return output.text(&format!("{}\n", text.trim_end_matches('\n')));
    }
    exported.write(to, args.force)?;
    if output.json {
        return output.value(&json!({
            "out": to.display().to_string(),
            "memories": exported.memories,
            "commits": exported.commits,
            "events": exported.events,
            "left_out": exported.left_out,
        }));
    }
    let memories = counted(exported.memories as u64, "memory", "memories");
    let history = match (format, args.history) {
        (Format::Files, _) => format!(
            ", {} and {}",
            counted(exported.events as u64, "event", "events"),
            counted(exported.commits as u64, "commit", "commits")
        ),
        (_, true) => format!(" and {}", counted(exported.commits as u64, "commit", "commits")),
        (_, false) => String::new(),
    };
    output.line(format_args!("✓ Exported {memories}{history} to {}", to.display()))
}
