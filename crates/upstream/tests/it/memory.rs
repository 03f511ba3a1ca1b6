//! The upstream in memory passes the conformance suite.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use memtape_upstream::{MemoryUpstream, Upstream, conformance};

#[test]
fn the_upstream_in_memory_conforms() {
    let tapes: Mutex<HashMap<String, Arc<MemoryUpstream>>> = Mutex::default();
    let open = |name: &str| -> Arc<dyn Upstream> {
        let mut tapes = tapes.lock().unwrap();
        Arc::clone(tapes.entry(name.to_owned()).or_insert_with(|| Arc::new(MemoryUpstream::new(name)))) as _
    };
    conformance::check(&open).unwrap();
}
