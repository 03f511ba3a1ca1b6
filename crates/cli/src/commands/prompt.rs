//! The `prompt` command.

use memtape::{At, Inbound, Prompt, Prompting, Report, Toolset, Workspace};
use serde_json::{Value, json};

use super::text_or_stdin;
use crate::args::{PromptArgs, PromptShow};
use crate::output::{Output, Result};

pub(super) fn run(workspace: &Workspace, output: &Output, at: &At, args: &PromptArgs) -> Result<()> {
    let inbound = Inbound {
        trigger: args.kind,
        text: text_or_stdin(&args.trigger)?,
        user: args.speaker.user(&args.session)?,
        name: args.name.clone(),
        ..Inbound::default()
    };
    let asking = Prompting {
        budget: args.budget,
        toolsets: Toolset::or_usual(&args.toolset).to_vec(),
        is_read_only: false,
    };
    let prompt = workspace.conversation(args.session.clone()).prompt(&inbound, &asking, at)?;
    match args.show {
        _ if output.json => output.value(&whole(&prompt)),
        PromptShow::Json => output.value(&whole(&prompt)),
        PromptShow::Text => output.text(&prompt.text()),
        PromptShow::Sections => sections(&prompt, output),
        PromptShow::Messages => messages(&prompt).iter().try_for_each(|message| output.line(message)),
    }
}

fn sections(prompt: &Prompt, output: &Output) -> Result<()> {
    output.line("section        tokens  share  left out")?;
    for Report { name, tokens, share, cut, .. } in &prompt.sections {
        let cut = cut.as_deref().unwrap_or_default();
        output.line(format!("{name:13} {tokens:7} {share:5}%  {cut}").trim_end())?;
    }
    output.line(format_args!("{:13} {:7} of {}", "in all", prompt.tokens, prompt.budget))
}

/// Returns the messages in the format of chat models, the system message first.
fn messages(prompt: &Prompt) -> Vec<Value> {
    let system = json!({"role": "system", "content": prompt.system});
    let messages = prompt.messages.iter().map(|message| json!(message));
    std::iter::once(system).chain(messages).collect()
}

fn whole(prompt: &Prompt) -> Value {
    json!({
        "system": prompt.system,
        "messages": prompt.messages,
        "sections": prompt.sections,
        "tokens": prompt.tokens,
        "budget": prompt.budget,
    })
}
