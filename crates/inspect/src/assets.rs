//! The style sheet and the scripts, each under a name that contains the digest of its content.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

use crate::ROOT;

/// A file that pages load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// The path, which changes with the content.
    pub path: String,
    /// The entity tag.
    pub tag: String,
    /// The media type.
    pub media_type: &'static str,
    /// The content.
    pub content: &'static str,
}

static ASSETS: LazyLock<[Asset; 4]> = LazyLock::new(|| {
    [
        asset("inspect", "css", "text/css; charset=utf-8", include_str!("../assets/inspect.css")),
        asset("memtape", "svg", "image/svg+xml", include_str!("../assets/memtape.svg")),
        asset("htmx", "js", "text/javascript; charset=utf-8", include_str!("../assets/htmx.min.js")),
        asset("inspect", "js", "text/javascript; charset=utf-8", include_str!("../assets/inspect.js")),
    ]
});

fn asset(name: &str, suffix: &str, media_type: &'static str, content: &'static str) -> Asset {
    let digest = &hex::encode(Sha256::digest(content))[..16];
    let path = format!("{ROOT}/assets/{name}.{digest}.{suffix}");
    Asset { path, tag: format!("\"{digest}\""), media_type, content }
}

/// Returns the asset at a path; `None` if there is none, or it has another digest.
#[must_use]
pub fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

pub(crate) fn style() -> &'static str {
    &ASSETS[0].path
}

pub(crate) fn icon() -> &'static str {
    &ASSETS[1].path
}

pub(crate) fn scripts() -> impl Iterator<Item = &'static str> {
    ASSETS[2..].iter().map(|asset| asset.path.as_str())
}
