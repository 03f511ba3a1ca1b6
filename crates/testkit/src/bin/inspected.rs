//! Creates a workspace for the checks of the inspector: `memtape-testkit-inspected sample|hostile DIR`.

use std::path::PathBuf;
use std::process::ExitCode;

use memtape_testkit::inspected;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (what, dir) = (arguments.next().unwrap_or_default(), arguments.next().map(PathBuf::from));
    let made = match (what.as_str(), &dir) {
        ("sample", Some(dir)) => inspected::sample(dir),
        ("hostile", Some(dir)) => inspected::hostile(dir).map(|_| ()),
        _ => {
            eprintln!("usage: memtape-testkit-inspected sample|hostile DIR");
            return ExitCode::from(2);
        }
    };
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
