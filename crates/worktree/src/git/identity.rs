//! The identity of a repository, the same in every clone and work tree of it.

use std::path::Path;

use super::repository;

/// Returns a name for the repository that contains a directory.
///
/// It is the host and the path of the remote `origin`, without user, password and ending, for example
/// `github.com/memtape/memtape`. A repository without that remote is named by the path of its `.git`
/// directory, which its work trees share. `None` means that the directory is in no repository.
#[must_use]
pub fn identity(dir: &Path) -> Option<String> {
    let (shared, origin) = repository::discover(dir)?;
    let named = origin.as_deref().map(identity_of_url);
    let path = || shared.to_string_lossy().trim_end_matches('/').to_owned();
    Some(named.filter(|name| !name.is_empty()).unwrap_or_else(path))
}

/// Returns the host and path of a repository's URL, in any of the forms that git accepts: the name that [`identity`]
/// gives to a clone of it.
#[must_use]
pub fn identity_of_url(url: &str) -> String {
    let (is_url, rest) = match url.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, url),
    };
    let (authority, path) = match (is_url, rest.find(['/', ':'])) {
        // `host:path`, but not a path that begins here or on a drive.
        (false, Some(at)) if rest.as_bytes()[at] == b':' && at > 1 => (&rest[..at], &rest[at + 1..]),
        (true, _) => rest.split_once('/').unwrap_or((rest, "")),
        (false, _) => ("", rest),
    };
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host).to_lowercase();
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    match host.as_str() {
        "" => path.to_owned(),
        host => format!("{host}/{}", path.trim_start_matches('/')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_of_one_repository_have_one_name() {
        for (url, name) in [
            ("https://github.com/me/app.git", "github.com/me/app"),
            ("https://me:token@GitHub.com/me/app", "github.com/me/app"),
            ("git@github.com:me/app.git", "github.com/me/app"),
            ("ssh://git@github.com:22/me/app.git/", "github.com/me/app"),
            ("/srv/git/app.git", "/srv/git/app"),
            ("file:///srv/git/app.git", "/srv/git/app"),
            ("C:/git/app", "C:/git/app"),
        ] {
            let named = identity_of_url(url);
            assert_eq!(named.trim_start_matches('/'), name.trim_start_matches('/'), "{url}");
        }
    }

    #[test]
    fn a_repository_without_a_remote_is_named_by_its_path() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        assert_eq!(identity(dir.path()), None);
        git2::Repository::init(dir.path()).expect("a repository");
        let below = dir.path().join("src");
        std::fs::create_dir(&below).expect("a directory");
        assert_eq!(identity(&below), identity(dir.path()));
        assert!(identity(&below).is_some_and(|name| name.ends_with(".git")));
    }
}
