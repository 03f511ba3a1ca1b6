//! The `memtape` command: a face of the library. It parses, calls and prints, and holds no rules of its own.

mod args;
mod commands;
mod locate;
mod output;

use std::env;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Cli;
use crate::output::{Failure, Output};

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) if e.use_stderr() && env::args_os().any(|argument| argument == "--json") => {
            return Output::new(true).failure(&Failure::unreadable(&e));
        }
        Err(e) => e.exit(),
    };
    let output = Output::new(cli.json);
    match commands::run(&cli, &output) {
        Ok(code) => code,
        Err(failure) => output.failure(&failure),
    }
}
