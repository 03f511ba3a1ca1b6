//! Metrics in the text format of Prometheus, version 0.0.4.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use memtape::UpstreamCounts as Counts;

use super::Server;

/// Upper bounds of the buckets of durations, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0];

/// The methods that are counted by name. A client can send any other word.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"];

/// The requests of one route, and how long they took.
#[derive(Debug, Default)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    /// The number of requests within each bucket, not summed up.
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

/// The counters of a server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<(&'static str, String), Route>>,
}

impl Metrics {
    /// Counts a request.
    pub(super) fn count(&self, method: &str, path: &str, status: u16, took: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let method = METHODS.into_iter().find(|known| *known == method).unwrap_or("other");
        let route = routes.entry((method, path.to_owned())).or_default();
        *route.by_status.entry(status).or_default() += 1;
        let seconds = took.as_secs_f64();
        if let Some(bucket) = BUCKETS.iter().position(|most| seconds <= *most) {
            route.buckets[bucket] += 1;
        }
        route.count += 1;
        route.seconds += seconds;
    }

    fn text(&self, open: usize, free: usize) -> String {
        let mut text = String::from(
            "# HELP memtape_requests_total Requests by route and status.\n# TYPE memtape_requests_total counter\n",
        );
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        for ((method, path), route) in &*routes {
            for (status, count) in &route.by_status {
                let _ = writeln!(
                    text,
                    "memtape_requests_total{{method=\"{method}\",route=\"{path}\",status=\"{status}\"}} {count}"
                );
            }
        }
        text.push_str(
            "# HELP memtape_request_seconds How long requests took.\n# TYPE memtape_request_seconds histogram\n",
        );
        for ((method, path), route) in &*routes {
            let labels = format!("method=\"{method}\",route=\"{path}\"");
            let mut sum = 0;
            for (most, count) in BUCKETS.iter().zip(route.buckets) {
                sum += count;
                let _ = writeln!(text, "memtape_request_seconds_bucket{{{labels},le=\"{most}\"}} {sum}");
            }
            let Route { count, seconds, .. } = route;
            let _ = writeln!(text, "memtape_request_seconds_bucket{{{labels},le=\"+Inf\"}} {count}");
            let _ = writeln!(text, "memtape_request_seconds_sum{{{labels}}} {seconds}");
            let _ = writeln!(text, "memtape_request_seconds_count{{{labels}}} {count}");
        }
        let _ = write!(
            text,
            "# HELP memtape_open_workspaces Workspaces that are open.\n# TYPE memtape_open_workspaces gauge\n\
             memtape_open_workspaces {open}\n# HELP memtape_free_requests Requests that could begin now.\n\
             # TYPE memtape_free_requests gauge\nmemtape_free_requests {free}\n"
        );
        let Counts { fetches, fetched_bytes, appends, moved, failures } = memtape::upstream_counts();
        for (name, help, count) in [
            ("fetches", "Requests to the upstream for new entries.", fetches),
            ("fetched_bytes", "Bytes of the entries that were fetched.", fetched_bytes),
            ("appends", "Groups sent to the upstream.", appends),
            ("moved", "Groups decided again because another node was faster.", moved),
            ("failures", "Requests to the upstream that failed.", failures),
        ] {
            let _ = write!(
                text,
                "# HELP memtape_upstream_{name}_total {help}\n# TYPE memtape_upstream_{name}_total counter\n\
                 memtape_upstream_{name}_total {count}\n"
            );
        }
        text
    }
}

/// Answers with the metrics.
pub(super) async fn show(State(server): State<Arc<Server>>) -> Response {
    let text = server.metrics.text(server.workspaces.open_count(), server.room.available_permits());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}
