//! Messages of their own that need what is remembered about the person, and messages that do not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use memtape_capture::needs_memory;
use serde::Deserialize;

use crate::Failure;
use crate::encoder::Bundled;
use crate::sets::{self, Part};

/// A message and whether its answer needs a memory.
#[derive(Deserialize)]
pub(crate) struct Request {
    lang: String,
    pub(crate) text: String,
    pub(crate) needs: bool,
}

/// Reads the requests of a part.
pub(crate) fn read(folder: &Path, part: Part) -> Result<Vec<Request>, Failure> {
    let mut requests = Vec::new();
    for path in sets::files(folder, part)? {
        for line in fs::read_to_string(path)?.lines() {
            requests.push(serde_json::from_str(line)?);
        }
    }
    Ok(requests)
}

/// Prints how many requests of each kind the gate lets pass, by language and over all.
pub(crate) fn run(folder: &Path, part: Part) -> Result<(), Failure> {
    let floor = memtape::Config::default().recall.floor;
    let mut languages: BTreeMap<&str, [(u32, u32); 2]> = BTreeMap::new();
    let requests = read(folder, part)?;
    for request in &requests {
        let passes = u32::from(f64::from(needs_memory(&request.text, &Bundled)) >= floor);
        for language in [&*request.lang, "all"] {
            let (all, passed) = &mut languages.entry(language).or_default()[usize::from(request.needs)];
            *all += 1;
            *passed += passes;
        }
    }
    for (language, [idle, needed]) in languages {
        let share = |(all, some): (u32, u32)| f64::from(some) / f64::from(all.max(1));
        println!(
            "{language:4} needs nothing, passes {:.3}   needs a memory, passes {:.3}",
            share(idle),
            share(needed)
        );
    }
    Ok(())
}
