//! The commands, one module per group.

mod backfill;
mod backup;
mod block;
mod branches;
mod config;
mod consolidate;
mod decay;
mod demo;
mod export;
mod fact;
mod file;
mod graph;
mod history;
pub(crate) mod hook;
mod import;
mod ingest;
mod inspect;
mod journal;
mod log;
mod mcp;
mod memory_tool;
mod mind;
mod note;
mod prompt;
mod recall;
mod remember;
mod scan;
mod serve;
mod setup;
mod start;
mod statements;
mod stats;
mod tape;
mod tool;
mod turn;
mod upstream;
mod verify;
mod view;
mod working_copy;
mod zone;

use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use memtape::{At, Audience, BlockName, FileWork, Form, IndexProgress, Options, Ref, Workspace};

use crate::args::{AudienceArgs, BranchCommand, Cli, Command, ScopeArg};
use crate::locate;
use crate::output::{Failure, Output, Result};

/// Delay before a progress indicator appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs the command of a parsed command line.
pub(crate) fn run(cli: &Cli, output: &Output) -> Result<ExitCode> {
    let context = Context { cli, output };
    match &cli.command {
        Command::Init { dir } => start::init(&context, dir.as_deref()),
        Command::Trust { dir, remove } => start::trust(&context, dir.as_deref(), *remove),
        Command::Demo { keep } => demo::run(&context, keep.as_deref()),
        Command::Clone { url, dir } => upstream::clone(&context, url, dir),
        Command::Push { url, anew } => context.with(|w, o, _| upstream::push(w, o, url, *anew)),
        Command::Status => context.with(start::status),
        Command::Verify { dir } => verify::run(&context, dir.as_deref()),
        Command::Scan { redact } => scan::run(&context, *redact),
        Command::Config { key } => config::run(&context, key.as_deref()),
        Command::Reindex { vectors } => context.with(|w, o, _| start::reindex(w, o, *vectors)),
        Command::Completions { shell } => start::completions(&context, *shell),
        Command::Man { dir } => start::man(&context, dir.as_deref()),
        Command::Import(args) if args.detects() => import::detect(&context, args),
        Command::Import(args) => context.with(|w, o, _| import::run(w, o, args, &cli.shared)),
        Command::Ingest(args) => context.with(|w, o, _| ingest::run(w, o, args)),
        Command::Recall(args) => context.with(|w, o, at| recall::recall(w, o, at, args)),
        Command::Prompt(args) => context.with(|w, o, at| prompt::run(w, o, at, args)),
        Command::Agent(args) => context.with(|w, o, _| mind::agent(w, o, args)),
        Command::Reflect(args) => context.with(|w, o, _| mind::reflect(w, o, args)),
        Command::Heartbeat(args) => context.with(|w, o, _| mind::heartbeat(w, o, args)),
        Command::Doctor => context.with(|w, o, _| mind::doctor(w, o)),
        Command::Turn(args) => context.with(|workspace, output, _| turn::turn(workspace, output, args)),
        Command::Why { reference, audience } => {
            context.with(|workspace, output, at| turn::why(workspace, output, at, reference, audience))
        }
        Command::Search(args) => context.with(|w, o, at| statements::search(w, o, at, args)),
        Command::Add(args) => context.with(|w, o, _| statements::add(w, o, args)),
        Command::Forget(args) => context.with(|w, o, _| statements::forget(w, o, args)),
        Command::Prune(args) => context.with(|w, o, _| statements::prune(w, o, args)),
        Command::Consolidate(args) if args.model => context.with(|w, o, _| mind::consolidate(w, o)),
        Command::Branch(BranchCommand::Resolve(args)) if args.model => {
            context.with(|w, o, _| mind::resolve(w, o, args.reference.as_deref()))
        }
        Command::Consolidate(args) => context.with(|w, o, at| consolidate::run(w, o, at, args)),
        Command::Backfill { dir, force, audience } => {
            context.with(|w, o, _| backfill::run(w, o, dir.as_deref(), *force, audience))
        }
        Command::Backup(args) => context.with(|w, o, _| backup::run(w, o, &args.url)),
        Command::Restore(args) => backup::run_restore(&context, args),
        Command::Show { reference, audience } => {
            context.with(|w, o, at| recall::show(w, o, at, reference, audience))
        }
        Command::Log(args) => context.with(|w, o, at| log::log(w, o, at, args)),
        Command::Diff(args) => context.with(|w, o, _| log::diff(w, o, args)),
        Command::Graph(args) => context.with(|w, o, at| graph::graph(w, o, at, args)),
        Command::View(args) => context.with(|w, o, at| view::view(w, o, at, args)),
        Command::Stats { audience } => context.with(|w, o, at| stats::stats(w, o, at, audience)),
        Command::Export(args) => context.with(|w, o, at| export::export(w, o, at, args)),
        Command::Remember(args) => context.with(|w, o, _| remember::run(w, o, args)),
        Command::Decay(args) => context.with(|w, o, at| decay::decay(w, o, at, args)),
        Command::Journal(args) => context.with(|w, o, at| journal::run(w, o, at, args)),
        Command::Zone(command) => context.with(|w, o, at| zone::run(w, o, at, command)),
        Command::Fact(command) => context.with(|w, o, at| fact::run(w, o, at, command)),
        Command::Branch(command) => context.with(|w, o, at| branches::run(w, o, at, command)),
        Command::File(command) => context.with(|w, o, at| file::run(w, o, at, command)),
        Command::Note(command) => context.with(|w, o, at| note::run(w, o, at, command)),
        Command::Block(command) => context.with(|w, o, at| block::run(w, o, at, command)),
        Command::Tape(command) => context.with(|w, o, at| tape::run(w, o, at, command)),
        Command::Setup(args) => setup::run(&context, args),
        Command::Hook(args) => Ok(hook::run(&context, args)),
        Command::Inspect(args) => inspect::run(&context, args),
        Command::Serve(args) => serve::run(&context, args),
        Command::Token(command) => serve::token(&context, command),
        Command::Mcp(args) => mcp::run(&context, args),
        Command::Tool(command) => context.with(|w, o, at| tool::run(w, o, at, command)),
        Command::MemoryTool(args) => context.with(|w, o, at| memory_tool::run(w, o, at, args)),
    }
}

/// The parsed command line and the output, as passed to every command.
struct Context<'a> {
    cli: &'a Cli,
    output: &'a Output,
}

impl Context<'_> {
    /// Opens the workspace and runs a command on it. Prints the workspace's warnings even if the command
    /// fails.
    fn with(&self, command: impl FnOnce(&Workspace, &Output, &At) -> Result<()>) -> Result<ExitCode> {
        let place = locate::place(&self.cli.shared, self.cli.command.may_write(), self.output)?;
        let options = upstream::with_upstream(self.options(&place.dir)?, &place.dir)?;
        let workspace = locate::open(&place, options, self.output)?;
        self.output.set_zone(workspace.time_zone());
        if self.cli.shared.is_paged && !self.cli.command.is_unpaged() {
            self.output.page();
        }
        let result = self.run_on(&workspace, command);
        self.output.finish_pager();
        if result.is_ok() && self.cli.command.writes() {
            // The write is already acknowledged and reported, so computing its vectors delays nobody.
            let embedded =
                io::stdout().flush().map_err(Failure::Output).and_then(|()| Ok(workspace.embed_pending()?));
            if let Err(Failure::Memtape(e)) = embedded {
                self.output.note(format_args!("warning: {e}"));
            }
        }
        self.output.warnings(workspace.take_warnings());
        result.map(|()| ExitCode::SUCCESS)
    }

    fn run_on(
        &self,
        workspace: &Workspace,
        command: impl FnOnce(&Workspace, &Output, &At) -> Result<()>,
    ) -> Result<()> {
        let at = match &self.cli.shared.at {
            Some(text) => workspace.at(text)?,
            None => At::head(),
        };
        match &self.cli.command {
            // Its errors are results for the model, so it looks at the branch itself.
            Command::MemoryTool(_) => {}
            // A command that restores may take the version from one branch to another.
            command if command.writes() => workspace.check_branch(&At::head())?,
            _ => workspace.check_branch(&at)?,
        }
        command(workspace, self.output, &at)
    }

    /// Returns the options for opening the workspace in a directory, and prints the configuration's warnings.
    fn options(&self, dir: &Path) -> Result<Options> {
        let loaded = memtape::config::load(&config::sources(self, Some(dir.to_owned())))?;
        // A setting without effect is reported once; `memtape config` reports it every time.
        let idle = loaded.idle.iter().filter(|idle| locate::is_first_time(dir, idle));
        for warning in loaded.warnings.iter().chain(idle) {
            self.output.note(format_args!("warning: {warning}"));
        }
        let waiting = Waiting::new("entries read into the index");
        let files = [Waiting::new("files written"), Waiting::new("objects committed to git")];
        let mut options = Options {
            config: loaded.config,
            progress: Box::new(move |IndexProgress { entry, last }| waiting.tick(entry, last)),
            files_progress: Arc::new(move |work, done, all| {
                let [written, committed] = &files;
                let waiting = if work == FileWork::Write { written } else { committed };
                waiting.tick(done, Some(all));
            }),
            ..Options::default()
        };
        options.branch.clone_from(&self.cli.shared.branch);
        Ok(options)
    }
}

/// Returns the audience that the command line selects.
fn audience(workspace: &Workspace, args: &AudienceArgs) -> Result<Audience> {
    let audience =
        workspace.audience(args.session.as_ref(), args.user().map_err(Failure::Usage)?.as_deref())?;
    Ok(match args.scope.and_then(ScopeArg::layer) {
        Some(layer) => audience.only(layer),
        None => audience,
    })
}

/// A progress indicator that appears on a terminal after [`PATIENCE`].
struct Waiting {
    since: Instant,
    what: &'static str,
    bar: Mutex<Option<ProgressBar>>,
}

impl Waiting {
    fn new(what: &'static str) -> Self {
        Self { since: Instant::now(), what, bar: Mutex::new(None) }
    }

    fn tick(&self, count: u64, all: Option<u64>) {
        if self.since.elapsed() < PATIENCE || !io::stderr().is_terminal() {
            return;
        }
        let mut bar = self.bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // What is complete makes room for the output.
        if all == Some(count) {
            bar.take().iter().for_each(ProgressBar::finish_and_clear);
            return;
        }
        let bar = bar.get_or_insert_with(ProgressBar::new_spinner);
        bar.set_message(progress_text(count, all, self.what));
        bar.tick();
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
            bar.finish_and_clear();
        }
    }
}

/// Formats progress: `1200 of 4800 lines imported (25%)`, or only the count if the total is unknown.
fn progress_text(count: u64, all: Option<u64>, what: &str) -> String {
    match all.filter(|all| *all >= count.max(1)) {
        Some(all) => format!("{count} of {all} {what} ({}%)", count.saturating_mul(100) / all),
        None => format!("{count} {what}"),
    }
}

/// Parses a reference. The name of a block, or the key of its proposal, is one too.
fn reference(text: &str) -> Result<Ref> {
    text.parse::<Ref>().or_else(|e| {
        let name = BlockName::new(text).map(|name| name.to_string()).ok();
        let key = name.or_else(|| BlockName::of_proposed(text).map(|name| name.proposed()));
        let key = key.ok_or_else(|| memtape::Error::from(e))?;
        Ok(Ref { form: Form::BLOCKS, key, entry: None })
    })
}

/// Asks for confirmation of a destructive action. If standard input is no terminal, `--yes` is required.
fn confirm(question: &str, yes: bool) -> Result<()> {
    if yes {
        return Ok(());
    }
    let refused = |message: &str| Failure::Refused {
        message: message.to_owned(),
        hint: "pass --yes to confirm".to_owned(),
    };
    if !io::stdin().is_terminal() {
        return Err(refused(&format!("confirmation needed: {question}")));
    }
    // If standard error is closed, nobody reads the question and nobody answers it.
    let _ = write!(io::stderr(), "{question} [y/N] ");
    let mut answer = Vec::new();
    io::stdin().lock().read_until(b'\n', &mut answer).map_err(memtape::Error::Input)?;
    match String::from_utf8_lossy(&answer).trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(refused("not confirmed")),
    }
}

/// Returns the text of an argument, or standard input if the argument is `-`, which only one argument can be.
///
/// A byte order mark, which some shells write first, is left out.
fn text_or_stdin(text: &str) -> Result<String> {
    let content = content_or_stdin(text)?;
    Ok(match content.strip_prefix('\u{FEFF}') {
        Some(rest) if text == "-" => rest.to_owned(),
        _ => content,
    })
}

/// Returns the content of a file, as [`text_or_stdin`], with its byte order mark.
fn content_or_stdin(text: &str) -> Result<String> {
    static IS_TAKEN: AtomicBool = AtomicBool::new(false);
    if text != "-" {
        return Ok(text.to_owned());
    }
    if IS_TAKEN.swap(true, Ordering::Relaxed) {
        return Err(Failure::Usage("only one argument can be `-`: standard input is read once".into()));
    }
    let mut text = Vec::new();
    io::stdin().lock().read_to_end(&mut text).map_err(memtape::Error::Input)?;
    String::from_utf8(text).map_err(|e| Failure::Usage(format!("standard input is not UTF-8: {e}")))
}

/// Parses a JSON argument; `what` names it in the error.
fn json_argument(text: &str, what: &str) -> Result<serde_json::Value> {
    memtape::lenient_json::from_str(text).map_err(|e| Failure::Usage(format!("{what} is not JSON: {e}")))
}

/// Returns a path in the form in which it is shown and stored: canonical if it exists, otherwise absolute.
fn absolute(path: &Path) -> std::path::PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::progress_text;

    #[test]
    fn progress_says_of_how_many_where_that_is_known() {
        let text = |count, all| progress_text(count, all, "lines imported");
        assert_eq!(text(1200, Some(4800)), "1200 of 4800 lines imported (25%)");
        assert_eq!(text(4800, Some(4800)), "4800 of 4800 lines imported (100%)");
        assert_eq!(text(1200, None), "1200 lines imported");
        // A total that is too small is ignored.
        assert_eq!(text(1200, Some(1100)), "1200 lines imported");
        assert_eq!(text(0, Some(0)), "0 lines imported");
    }
}
