//! Notifications that a resource has changed.
//!
//! The workspace may be changed by other processes and by a person's editor, so a subscription compares the content of
//! the resources. It checks only while a client is subscribed, and reads the resources only if the tape or the files
//! have changed.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use memtape::{EntryId, Result, Workspace};
use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, SubscriptionContext};
use sha2::{Digest as _, Sha256};

use crate::caller::Caller;
use crate::node::Node;
use crate::resources::Resources;

/// Time between two looks.
const PERIOD: Duration = Duration::from_secs(1);

/// Maximum number of resources that one stream follows. Each is read again after every change of the memory.
const FOLLOWED_MAX: usize = 100;

/// The resources of one workspace that clients are subscribed to.
pub struct Changes {
    node: Arc<Node>,
    subscribed: Mutex<Subscribed>,
}

/// The subscriptions of clients that speak an older protocol.
#[derive(Default)]
struct Subscribed {
    /// The client of each, with the number of its subscription, whose task ends with it.
    peers: HashMap<Subject, (u64, Peer<RoleServer>)>,
    /// The number of the last subscription.
    last: u64,
}

/// The subject of a subscription of an older protocol: a resource by its URI, or the list of resources.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    Resource(String),
    List,
}

/// The digest of a resource at the last check; `None` if it did not exist.
type Seen = Option<[u8; 32]>;

impl Changes {
    pub(crate) fn new(node: Arc<Node>) -> Arc<Self> {
        Arc::new(Self { node, subscribed: Mutex::default() })
    }

    /// Notifies a client of the changes that it asked for, until it cancels.
    pub(crate) async fn listen(&self, caller: &Caller, subscription: SubscriptionContext) {
        let accepted = subscription.accepted().clone();
        let uris = followed(accepted.resource_subscriptions.unwrap_or_default());
        let is_listing = accepted.resources_list_changed == Some(true);
        let mut watch = Watch::new(caller.clone(), uris, is_listing);
        loop {
            if let Ok(changed) = watch.look(&self.node).await {
                for uri in changed.uris {
                    if subscription.sink().notify_resource_updated(uri).await.is_err() {
                        return;
                    }
                }
                if changed.list && subscription.sink().notify_resource_list_changed().await.is_err() {
                    return;
                }
            }
            tokio::select! {
                () = subscription.cancelled() => return,
                () = tokio::time::sleep(PERIOD) => {}
            }
        }
    }

    /// Adds a subscription of an older protocol. Its client is notified of every change after this returns, until it
    /// unsubscribes or disconnects.
    pub(crate) async fn subscribe(
        self: Arc<Self>,
        caller: &Caller,
        subject: Subject,
        peer: Peer<RoleServer>,
    ) {
        let number = {
            let mut subscribed = self.subscribed.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, known)) = subscribed.peers.get_mut(&subject) {
                *known = peer;
                return;
            }
            subscribed.last += 1;
            let number = subscribed.last;
            subscribed.peers.insert(subject.clone(), (number, peer));
            number
        };
        let (changes, node) = (Arc::downgrade(&self), Arc::clone(&self.node));
        let mut watch = match &subject {
            Subject::Resource(uri) => Watch::new(caller.clone(), vec![uri.clone()], false),
            Subject::List => Watch::new(caller.clone(), Vec::new(), true),
        };
        // If this fails, the next look is the first one.
        let _ = watch.look(&node).await;
        tokio::spawn(async move {
            while let Some(peer) = peer_of(&changes, &subject, number) {
                let changed = watch.look(&node).await.unwrap_or_default();
                let told = match &subject {
                    Subject::Resource(uri) if !changed.uris.is_empty() => {
                        peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri.clone())).await
                    }
                    Subject::List if changed.list => peer.notify_resource_list_changed().await,
                    Subject::Resource(_) | Subject::List => Ok(()),
                };
                if told.is_err() {
                    return;
                }
                tokio::time::sleep(PERIOD).await;
            }
        });
    }

    /// Removes a subscription of an older protocol.
    pub(crate) fn unsubscribe(&self, uri: String) {
        let mut subscribed = self.subscribed.lock().unwrap_or_else(PoisonError::into_inner);
        subscribed.peers.remove(&Subject::Resource(uri));
    }
}

/// Returns the resources of those in a request that its stream follows: each once, and not too many.
pub(crate) fn followed(mut uris: Vec<String>) -> Vec<String> {
    let mut known = HashSet::new();
    uris.retain(|uri| known.insert(uri.clone()));
    uris.truncate(FOLLOWED_MAX);
    uris
}

/// Returns the client of a subscription; `None` if it has unsubscribed, perhaps to subscribe again, or is gone.
fn peer_of(changes: &Weak<Changes>, subject: &Subject, number: u64) -> Option<Peer<RoleServer>> {
    let changes = changes.upgrade()?;
    let subscribed = changes.subscribed.lock().unwrap_or_else(PoisonError::into_inner);
    let (current, peer) = subscribed.peers.get(subject)?;
    (*current == number && !peer.is_transport_closed()).then(|| peer.clone())
}

/// The changes since the last check.
#[derive(Debug, Default)]
struct Changed {
    uris: Vec<String>,
    list: bool,
}

/// Subscribed resources and their digests at the last check.
struct Watch {
    caller: Caller,
    uris: Vec<String>,
    is_listing: bool,
    /// The head of the tape at the last look.
    head: Option<EntryId>,
    seen: Option<(Vec<Seen>, Seen)>,
}

impl Watch {
    fn new(caller: Caller, uris: Vec<String>, is_listing: bool) -> Self {
        Self { caller, uris, is_listing, head: None, seen: None }
    }

    /// Returns what has changed since the last look. The first look finds nothing changed.
    async fn look(&mut self, node: &Arc<Node>) -> Result<Changed> {
        let (caller, uris, is_listing, head) =
            (self.caller.clone(), self.uris.clone(), self.is_listing, self.head);
        let looked = node.read(move |workspace| look(workspace, &caller, &uris, is_listing, head)).await?;
        let Some((head, seen)) = looked else { return Ok(Changed::default()) };
        self.head = Some(head);
        let Some((before, list_before)) = self.seen.replace(seen.clone()) else {
            return Ok(Changed::default());
        };
        let (now, list_now) = seen;
        let pairs = self.uris.iter().zip(before.iter().zip(&now));
        let uris = pairs.filter(|(_, (before, now))| before != now).map(|(uri, _)| uri.clone()).collect();
        Ok(Changed { uris, list: list_before != list_now })
    }
}

/// Returns the head and the digests of the resources; `None` if the head has not moved.
#[allow(clippy::type_complexity, reason = "one place")]
fn look(
    workspace: &Workspace,
    caller: &Caller,
    uris: &[String],
    is_listing: bool,
    head: Option<EntryId>,
) -> Result<Option<(EntryId, (Vec<Seen>, Seen))>> {
    // Reading the head looks at the working copies, and records what a person edited.
    let now = workspace.journal().head()?;
    if head == Some(now) {
        return Ok(None);
    }
    let resources = Resources::of(workspace, caller)?;
    let digest = |bytes: &[u8]| <[u8; 32]>::from(Sha256::digest(bytes));
    // A resource that cannot be read, or no longer, counts as absent.
    let seen = |uri: &String| resources.content(uri).ok().map(|(bytes, _)| digest(&bytes));
    let list = match is_listing {
        true => {
            let uris: Vec<_> = resources.list()?.into_iter().map(|resource| resource.uri).collect();
            Some(digest(uris.join("\n").as_bytes()))
        }
        false => None,
    };
    Ok(Some((now, (uris.iter().map(seen).collect(), list))))
}
