//! The order in which the calls of one client take effect: that in which it sent them.
//!
//! A client may send further requests before it has an answer, and the SDK handles each in a task of its own. So a call
//! that writes waits for all calls before it, and one that only reads for those before it that write.

use memtape::toolbox::TOOLS;
use rmcp::model::{ClientRequest, Extensions, GetExtensions as _};
use tokio::sync::watch;

/// Ends when the last sender is dropped. No value is sent.
type End = watch::Receiver<()>;

/// The calls that may be in progress.
#[derive(Default)]
pub(super) struct Order {
    /// The last call that writes.
    write: Option<End>,
    /// The calls since then that only read.
    reads: Vec<End>,
}

/// The place of a call in the order. The calls after it wait until it and its clones are dropped.
#[derive(Clone)]
struct Place {
    before: Vec<End>,
    _end: watch::Sender<()>,
}

impl Order {
    /// Gives a request its place, if it reads or writes memories. Requests must be passed in the order of the input.
    pub(super) fn add(&mut self, request: &mut ClientRequest) {
        let is_writing = match &*request {
            ClientRequest::CallToolRequest(call) => {
                !TOOLS.iter().any(|tool| tool.name == call.params.name && tool.read_only)
            }
            ClientRequest::ListResourcesRequest(_)
            | ClientRequest::ReadResourceRequest(_)
            | ClientRequest::GetPromptRequest(_) => false,
            _ => return,
        };
        let place = self.place(is_writing);
        request.extensions_mut().insert(place);
    }

    fn place(&mut self, is_writing: bool) -> Place {
        let (sender, end) = watch::channel(());
        let mut before: Vec<_> = self.write.iter().cloned().collect();
        if is_writing {
            before.append(&mut self.reads);
            self.write = Some(end);
        } else {
            self.reads.retain(|read| read.has_changed().is_ok());
            self.reads.push(end);
        }
        Place { before, _end: sender }
    }
}

/// Waits until the calls before a request have ended, as far as it may not overtake them. The calls after it wait until
/// its extensions are dropped.
pub(super) async fn wait(extensions: &Extensions) {
    let place = extensions.get::<Place>().cloned();
    for mut before in place.into_iter().flat_map(|place| place.before) {
        // An error is the end: the sender is dropped.
        while before.changed().await.is_ok() {}
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    fn is_ready(place: &Place) -> bool {
        let mut extensions = Extensions::new();
        extensions.insert(place.clone());
        pin!(wait(&extensions)).poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    #[test]
    fn a_call_waits_for_those_before_it_unless_both_only_read() {
        let mut order = Order::default();
        let [first, second] = [order.place(true), order.place(true)];
        let [recall, show] = [order.place(false), order.place(false)];
        let last = order.place(true);
        let waiting = |places: &[&Place]| places.iter().all(|place| !is_ready(place));
        assert!(is_ready(&first) && waiting(&[&second, &recall, &show, &last]));
        drop(first);
        assert!(is_ready(&second) && waiting(&[&recall, &show, &last]));
        drop(second);
        assert!(is_ready(&show) && is_ready(&recall) && waiting(&[&last]));
        drop(show);
        assert!(waiting(&[&last]), "a call that reads is in progress");
        drop(recall);
        assert!(is_ready(&last));
    }
}
