//! The `decay` command.

use memtape::decay::{DecayQuestion, UnusedMemory};
use memtape::log::text;
use memtape::{At, Workspace};
use serde_json::{Value, json};

use super::audience;
use crate::args::DecayArgs;
use crate::output::{Output, Result, counted};

pub(super) fn decay(workspace: &Workspace, output: &Output, at: &At, args: &DecayArgs) -> Result<()> {
    let question = DecayQuestion {
        audience: audience(workspace, &args.audience)?,
        days: args.days,
        form: args.form,
        limit: args.limit,
    };
    let decay = workspace.decay(&question, at)?;
    if output.json {
        let faded: Vec<_> = decay.faded.iter().map(faded_json).collect();
        return output.value(&json!({"days": args.days, "faded": faded, "left": decay.left}));
    }
    for UnusedMemory { memory, strength, recalls, used_at } in &decay.faded {
        let day = memtape::calendar::day(*used_at, workspace.time_zone());
        let recalled = counted(*recalls, "recall", "recalls");
        let head = format!("{strength:.2}  {day}  {recalled}  ");
        let tail = format!(" [{}]", memory.reference());
        let told = output.one_line_after(head.len() + tail.len(), &text(Some(memory)));
        output.line(format_args!("{head}{told}{tail}"))?;
    }
    if decay.faded.is_empty() {
        let days = counted(u64::from(args.days), "day", "days");
        return output.line(format_args!("No memories without use in the last {days}."));
    }
    if decay.left > 0 {
        output.note(format_args!("{} more: ask for them with -n", decay.left));
    }
    output
        .note("nothing was removed: `memtape show REF` reads one, `memtape why REF` says where it came from");
    Ok(())
}

fn faded_json(faded: &UnusedMemory) -> Value {
    let UnusedMemory { memory, strength, recalls, used_at } = faded;
    json!({
        "ref": memory.reference().to_string(),
        "form": memory.form.as_str(),
        "strength": (strength * 10_000.0).round() / 10_000.0,
        "recalls": recalls,
        "used_at": used_at.to_string(),
        "text": text(Some(memory)),
    })
}
