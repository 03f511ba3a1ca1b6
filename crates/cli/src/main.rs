//! The `memtape` command: a face of the library. It parses, calls and prints, and holds no rules of its own.

mod args;
mod commands;
mod locate;
mod output;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::Cli;
use crate::output::Output;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let output = Output::new(cli.json);
    match commands::run(&cli, &output) {
        Ok(code) => code,
        Err(failure) => output.failure(&failure),
    }
}
