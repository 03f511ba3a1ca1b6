//! The `memtape` command: parses the command line, calls the library and prints the result. It contains no memory
//! logic.

mod args;
mod commands;
mod locate;
mod output;
mod pager;
mod style;
mod upstreams;

use std::env;
use std::process::ExitCode;

use crate::args::Cli;
use crate::output::{Failure, Output};

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        // A client takes an exit status for a decision of the hook: 2 blocks what it was about to do.
        Err(e) if e.use_stderr() && args::names_hook(env::args_os()) => {
            commands::hook::report_failure(&Failure::unreadable(&e));
            return ExitCode::SUCCESS;
        }
        Err(e) if e.use_stderr() && env::args_os().any(|argument| argument == "--json") => {
            let color = args::color_of(env::args_os());
            return Output::new(true, color, false).failure(&Failure::unreadable(&e));
        }
        Err(e) => e.exit(),
    };
    let shared = &cli.shared;
    let output = Output::new(shared.json, shared.color.unwrap_or_default(), !shared.no_pager);
    let result = commands::run(&cli, &output);
    output.finish_pager();
    match result {
        Ok(code) => code,
        Err(failure) => output.failure(&failure),
    }
}
