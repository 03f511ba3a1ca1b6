//! The access of one client of a server.

use std::sync::Arc;

use crate::caller::Caller;
use crate::changes::Changes;
use crate::node::Node;

/// The access of one client of a server.
#[derive(Clone)]
pub struct Access {
    /// The workspace.
    pub node: Arc<Node>,
    /// The caller on whose behalf the client calls.
    pub caller: Caller,
    /// The changes of the workspace, for subscriptions.
    pub changes: Arc<Changes>,
}

impl Access {
    /// Returns access to a workspace for a caller.
    #[must_use]
    pub fn new(node: Arc<Node>, caller: Caller) -> Self {
        let changes = Changes::new(Arc::clone(&node));
        Self { node, caller, changes }
    }
}
