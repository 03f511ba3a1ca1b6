//! The identity of a repository, the same in every clone and work tree of it.

use std::path::Path;

use super::repository;

/// The ports of SSH, HTTP and HTTPS, and none: one server has the same repositories at all of them.
const USUAL_PORTS: [&str; 4] = ["22", "80", "443", ""];

/// Returns a name for the repository that contains a directory.
///
/// It is the host and the path of the remote `origin`, without user, password and ending, for example
/// `github.com/memtape/memtape`. A repository without that remote, or whose remote is a relative path, is named by the
/// path of its `.git` directory, which its work trees share. `None` means that the directory is in no repository.
#[must_use]
pub fn identity(dir: &Path) -> Option<String> {
    let (shared, origin) = repository::discover(dir)?;
    let named = origin.as_deref().filter(|url| !is_relative(url)).map(identity_of_url);
    let path = || shared.to_string_lossy().trim_end_matches('/').to_owned();
    Some(named.filter(|name| !name.is_empty()).unwrap_or_else(path))
}

/// Returns the host, its port unless that is a usual one, and the path of a repository's URL, in any of the forms that
/// git accepts: the name that [`identity`] gives to a clone of it.
#[must_use]
pub fn identity_of_url(url: &str) -> String {
    let (authority, path) = parts(url);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if USUAL_PORTS.contains(&port) => name,
        _ => host,
    };
    let host = host.to_lowercase();
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    match host.as_str() {
        "" => path.to_owned(),
        host => format!("{host}/{}", path.trim_start_matches('/')),
    }
}

/// Splits a URL into the authority and the path. A path has no authority, even as a `file://` URL.
fn parts(url: &str) -> (&str, &str) {
    if let Some(rest) = url.strip_prefix("file://") {
        let path = rest.strip_prefix("localhost").filter(|path| path.starts_with('/')).unwrap_or(rest);
        let on_drive = path.strip_prefix('/').filter(|path| path.as_bytes().get(1) == Some(&b':'));
        return ("", on_drive.unwrap_or(path));
    }
    if let Some((_, rest)) = url.split_once("://") {
        return rest.split_once('/').unwrap_or((rest, ""));
    }
    match url.find(['/', ':']) {
        // `host:path`, but not a path that begins here or on a drive.
        Some(at) if url.as_bytes()[at] == b':' && at > 1 => (&url[..at], &url[at + 1..]),
        _ => ("", url),
    }
}

/// Returns whether a URL is a path that means another repository in every directory.
fn is_relative(url: &str) -> bool {
    let (authority, path) = parts(url);
    let is_on_drive = path.as_bytes().get(1) == Some(&b':');
    authority.is_empty() && !url.contains("://") && !path.starts_with(['/', '\\']) && !is_on_drive
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
            ("file://localhost/srv/git/app", "/srv/git/app"),
            ("git@srv:git/app.git", "srv/git/app"),
            ("C:/git/app", "C:/git/app"),
            ("file:///C:/git/app", "C:/git/app"),
            ("https://github.com:443/me/app", "github.com/me/app"),
            ("http://localhost:3000/me/app", "localhost:3000/me/app"),
            ("http://localhost:8080/me/app", "localhost:8080/me/app"),
            ("http://[::1]/me/app", "[::1]/me/app"),
            ("http://[::1]:3000/me/app", "[::1]:3000/me/app"),
        ] {
            assert_eq!(identity_of_url(url), name, "{url}");
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

    #[test]
    fn a_relative_remote_is_another_repository_in_every_directory() {
        for url in ["../upstream", "upstream.git", "./a:b", "a/b"] {
            let [one, other] = [(), ()].map(|()| {
                let dir = tempfile::tempdir().expect("a temporary directory");
                let repository = git2::Repository::init(dir.path()).expect("a repository");
                repository.remote("origin", url).expect("a remote");
                identity(dir.path()).expect("a name")
            });
            assert_ne!(one, other, "{url}");
        }
        let dir = tempfile::tempdir().expect("a temporary directory");
        let repository = git2::Repository::init(dir.path()).expect("a repository");
        repository.remote("origin", "/srv/git/app.git").expect("a remote");
        assert_eq!(identity(dir.path()).as_deref(), Some("/srv/git/app"));
    }
}
