//! The `memtape` command: parses the command line, calls the library and prints the result. It contains no
//! memory logic of its own.

mod args;
mod commands;
mod locate;
mod output;

use std::env;
use std::process::ExitCode;

use crate::args::Cli;
use crate::output::{Failure, Output};

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(e) if e.use_stderr() && env::args_os().any(|argument| argument == "--json") => {
            return Output::new(true).failure(&Failure::unreadable(&e));
        }
        Err(e) => e.exit(),
    };
    let output = Output::new(cli.shared.json);
    match commands::run(&cli, &output) {
        Ok(code) => code,
        Err(failure) => output.failure(&failure),
    }
}
