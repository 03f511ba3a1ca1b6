//! The address of an upstream in an object store.

use std::fmt;
use std::path::PathBuf;

use memtape_upstream::{Error, Result};
use percent_encoding::percent_decode_str;

/// The kind of an object store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    S3,
    Gcs,
    Azure,
    Files,
}

const SCHEMES: [(&str, Kind); 4] =
    [("s3", Kind::S3), ("gs", Kind::Gcs), ("az", Kind::Azure), ("file", Kind::Files)];

/// A parsed address: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix` or `file:///path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) kind: Kind,
    /// The name of the bucket or container; empty for files.
    pub(super) bucket: String,
    /// The prefix, without slashes at its ends; the absolute path for files.
    pub(super) prefix: String,
    scheme: &'static str,
}

impl Address {
    /// Parses an address.
    ///
    /// # Errors
    /// [`Error::Refused`] if the scheme is unknown, the address has credentials or parameters, or a part is missing.
    pub(super) fn parse(url: &str) -> Result<Self> {
        let refused =
            |label: &str, why: &str| Error::Refused { upstream: label.to_owned(), why: why.to_owned() };
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let Some((scheme, kind)) = SCHEMES.into_iter().find(|(name, _)| *name == scheme) else {
            let label =
                if scheme.is_empty() { "invalid address".to_owned() } else { format!("{scheme}://…") };
            return Err(refused(
                &label,
                "it must begin with s3://, gs://, az:// or, for a directory, file:///",
            ));
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        // From here on a message names the address only without what may be a password.
        if authority.contains('@') {
            let why = "credentials are read from the environment, not from the address";
            return Err(refused(&format!("{scheme}://…"), why));
        }
        if rest.contains(['?', '#']) {
            return Err(refused(&format!("{scheme}://…"), "the address must not have parameters"));
        }
        let path = percent_decode_str(path).decode_utf8();
        let path = path.map_err(|_| refused(&format!("{scheme}://{authority}"), "the path is not UTF-8"))?;
        let (bucket, prefix) = match kind {
            Kind::Files if authority.is_empty() && !path.is_empty() => ("", rooted(&path)),
            Kind::Files => return Err(refused(url, "write it as file:///path, with three slashes")),
            _ => (authority, path.trim_matches('/').to_owned()),
        };
        if kind != Kind::Files && bucket.is_empty() {
            return Err(refused(url, "the name of the bucket is missing"));
        }
        Ok(Self { kind, bucket: bucket.to_owned(), prefix, scheme })
    }

    /// Returns the path of files.
    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(&self.prefix)
    }
}

/// Returns the path of a `file:` address: `/C:/dir` is the path of a drive.
fn rooted(path: &str) -> String {
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    if is_drive { path.to_owned() } else { format!("/{path}") }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, bucket, prefix, scheme } = self;
        match (kind, prefix.as_str()) {
            (Kind::Files, path) => write!(f, "{scheme}://{path}"),
            (_, "") => write!(f, "{scheme}://{bucket}"),
            (_, prefix) => write!(f, "{scheme}://{bucket}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_parsed_and_shown() {
        for (url, kind, bucket, prefix, shown) in [
            ("s3://b/a/c", Kind::S3, "b", "a/c", "s3://b/a/c"),
            ("s3://b", Kind::S3, "b", "", "s3://b"),
            ("gs://b/a/", Kind::Gcs, "b", "a", "gs://b/a"),
            ("az://c/my%20agent", Kind::Azure, "c", "my agent", "az://c/my agent"),
            ("file:///tmp/x%20y", Kind::Files, "", "/tmp/x y", "file:///tmp/x y"),
        ] {
            let address = Address::parse(url).unwrap();
            assert_eq!((address.kind, &*address.bucket, &*address.prefix), (kind, bucket, prefix), "{url}");
            assert_eq!(address.to_string(), shown);
        }
    }

    #[test]
    fn a_wrong_address_is_refused_without_its_password() {
        for (url, why) in [
            ("http://b/a", "must begin with"),
            ("b/a", "must begin with"),
            ("ftp://id:hunter2@b", "must begin with"),
            ("s3:///a", "bucket is missing"),
            ("file://a/b", "three slashes"),
            ("s3://id:hunter2@b/a", "environment"),
            ("s3://b/a?key=hunter2", "parameters"),
        ] {
            let error = Address::parse(url).unwrap_err().to_string();
            assert!(error.contains(why) && !error.contains("hunter2"), "{url}: {error}");
        }
    }
}
