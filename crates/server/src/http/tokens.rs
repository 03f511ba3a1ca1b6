//! Bearer tokens: who may call the HTTP server, and on whose behalf.
//!
//! A token is `mt_NAME_SECRET`. The file `tokens.json` contains a SHA-256 digest of each secret, never the secret. A
//! secret is 32 random bytes, so a plain digest cannot be guessed.
//!
//! The file is read again when it changes, so a removed token ends at once.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use memtape::{Session, Toolset, disk};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The name of the file in the served directory.
pub const FILE: &str = "tokens.json";
/// The beginning of every token.
const PREFIX: &str = "mt_";
/// Number of random bytes in a secret.
const SECRET_BYTES: usize = 32;
/// Maximum length of a name, in bytes.
const NAME_MAX: usize = 64;

/// The name of the token of a request, or of the visit that it belongs to. The requests without one have one share.
#[derive(Clone)]
pub(super) struct Holder(pub(super) String);

/// The stored data of a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// The name that the owner gave it.
    pub name: String,
    /// The SHA-256 digest of its secret, in hexadecimal.
    pub hash: String,
    /// The kind of its client.
    #[serde(flatten)]
    pub kind: Kind,
    /// The workspace that it opens, below the served directory; `None` if one workspace is served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// The names of the toolsets whose tools MCP, `/v1/tools` and prompts offer. They are no permission: other routes and
    /// the inspector do not ask for them.
    pub tools: Vec<String>,
    /// Whether it may only read.
    #[serde(default)]
    pub read_only: bool,
}

/// The kind of a token's client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// The owner's, who sees every scope.
    Owner,
    /// One conversation's, and perhaps one user's.
    Fixed {
        /// The conversation, `CHANNEL:CHAT[:THREAD]`.
        session: String,
        /// The user, as the channel names them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        user: Option<String>,
    },
    /// A gateway's, which names the conversation and the user of each request, within its channels.
    Gateway {
        /// The required beginning of the label of each conversation, for example `telegram:`.
        prefix: String,
    },
}

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    tokens: Vec<Token>,
}

/// Longer than a tick of the clock of any file system.
const TICK: Duration = Duration::from_secs(2);

/// The tokens of a served directory.
#[derive(Debug)]
pub struct Tokens {
    file: PathBuf,
    read: Mutex<(Option<SystemTime>, Vec<Token>)>,
}

impl Tokens {
    /// Returns the tokens of a directory.
    #[must_use]
    pub fn of(dir: &Path) -> Self {
        Self { file: dir.join(FILE), read: Mutex::default() }
    }

    /// Returns every token, by name.
    ///
    /// # Errors
    /// An error of the operating system, or of kind `InvalidData` if the file is not understood or names an unknown
    /// toolset, or of kind `NotFound` if the
    /// directory, or a file that had tokens, is not there any more.
    pub fn list(&self) -> io::Result<Vec<Token>> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        // A directory without the file has no tokens. If it is missing, or the file was there, it was moved or is not
        // mounted: the tokens are not gone.
        let has_none = || read.1.is_empty() && self.file.parent().is_some_and(Path::is_dir);
        let modified = match fs::metadata(&self.file) {
            Ok(metadata) => metadata.modified()?,
            Err(e) if e.kind() == io::ErrorKind::NotFound && has_none() => return Ok(Vec::new()),
            Err(e) => return Err(io::Error::new(e.kind(), format!("{}: {e}", self.file.display()))),
        };
        if read.0 != Some(modified) {
            // Two changes within one tick of the clock have one time, so a time is trusted only when it has passed.
            let has_passed = modified.elapsed().is_ok_and(|age| age >= TICK);
            let stored: Stored = serde_json::from_slice(&fs::read(&self.file)?).map_err(|e| {
                io::Error::new(io::ErrorKind::InvalidData, format!("{}: {e}", self.file.display()))
            })?;
            if let Some(unknown) = stored.tokens.iter().find_map(unknown_toolset) {
                let message = format!("{}: unknown toolset {unknown:?}", self.file.display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            *read = (has_passed.then_some(modified), stored.tokens);
        }
        Ok(read.1.clone())
    }

    /// Adds a token and returns its text, which is shown once and not stored. Waits until no other process changes the
    /// list.
    ///
    /// # Errors
    /// An error of kind `InvalidInput` if the name, the session, the user or the prefix is not valid, of kind
    /// `AlreadyExists` if the name is taken, or an error of the operating system.
    pub fn add(&self, mut token: Token) -> io::Result<String> {
        check(&token)?;
        let _lock = disk::locked(&self.file)?;
        let mut tokens = self.list()?;
        if tokens.iter().any(|other| other.name == token.name) {
            let taken = format!("there is a token {:?} already", token.name);
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, taken));
        }
        let mut secret = [0; SECRET_BYTES];
        getrandom::fill(&mut secret).map_err(|e| io::Error::other(e.to_string()))?;
        let text = format!("{PREFIX}{}_{}", token.name, hex::encode(secret));
        token.hash = digest(&text);
        tokens.push(token);
        tokens.sort_by(|a, b| a.name.cmp(&b.name));
        self.write(&tokens)?;
        Ok(text)
    }

    /// Removes a token by its name. Returns whether there was one. Waits as [`Tokens::add`] does.
    ///
    /// # Errors
    /// As [`Tokens::list`].
    pub fn remove(&self, name: &str) -> io::Result<bool> {
        if !self.file.exists() {
            return Ok(false);
        }
        let _lock = disk::locked(&self.file)?;
        let mut tokens = self.list()?;
        let before = tokens.len();
        tokens.retain(|token| token.name != name);
        let removed = tokens.len() < before;
        if removed {
            self.write(&tokens)?;
        }
        Ok(removed)
    }

    /// Returns the token that a text is, if it is one.
    ///
    /// # Errors
    /// As [`Tokens::list`].
    pub fn find(&self, text: &str) -> io::Result<Option<Token>> {
        // A guess cannot approach a digest, so the comparison need not take constant time.
        let digest = digest(text);
        Ok(self.list()?.into_iter().find(|token| token.hash == digest))
    }

    fn write(&self, tokens: &[Token]) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(&Stored { tokens: tokens.to_vec() })?;
        text.push(b'\n');
        disk::replace_private(&self.file, &text)?;
        self.read.lock().unwrap_or_else(PoisonError::into_inner).0 = None;
        Ok(())
    }
}

impl Token {
    /// Returns the toolsets that it offers.
    #[must_use]
    pub fn toolsets(&self) -> Vec<Toolset> {
        self.tools.iter().filter_map(|name| name.parse().ok()).collect()
    }
}

fn digest(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// Returns the first toolset of a token that this version does not know.
fn unknown_toolset(token: &Token) -> Option<&String> {
    token.tools.iter().find(|name| name.parse::<Toolset>().is_err())
}

/// Returns an error for a token that could not be used.
fn check(token: &Token) -> io::Result<()> {
    let invalid = |why: String| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if token.name.is_empty() || token.name.len() > NAME_MAX || !token.name.chars().all(is_word) {
        return invalid(format!("invalid name {:?}: use letters, digits and -", token.name));
    }
    if let Some(unknown) = unknown_toolset(token) {
        return invalid(format!("unknown toolset {unknown:?}"));
    }
    let parsed = match &token.kind {
        Kind::Owner => return Ok(()),
        Kind::Fixed { session, user } => Session::parse(session).and_then(|session| {
            user.iter().try_for_each(|user| session.user(user).map(drop))?;
            Ok(session)
        }),
        Kind::Gateway { prefix } if prefix.contains(':') && !prefix.starts_with(':') => {
            // A conversation whose label begins with it.
            let end = if prefix.ends_with(':') { "x" } else { "" };
            Session::parse(&format!("{prefix}{end}"))
        }
        Kind::Gateway { prefix } => {
            return invalid(format!(
                "invalid prefix {prefix:?}: it begins with a channel and a colon, such as telegram:"
            ));
        }
    };
    match parsed {
        Ok(session) if session.is_terminal() => invalid(
            "cli:… is the terminal, whose conversations are the owner's own, and so is a session without a channel: name \
             CHANNEL:CHAT, such as telegram:42, or none"
                .into(),
        ),
        Ok(_) => Ok(()),
        Err(e) => invalid(e.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(name: &str, kind: Kind) -> Token {
        Token {
            name: name.into(),
            hash: String::new(),
            kind,
            workspace: None,
            tools: vec!["core".into()],
            read_only: false,
        }
    }

    #[test]
    fn a_token_is_found_by_its_text_until_it_is_removed() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let tokens = Tokens::of(dir.path());
        assert_eq!(tokens.list().expect("no file is no token"), []);
        let text = tokens.add(token("phone", Kind::Owner)).expect("a token");
        let stored = fs::read_to_string(dir.path().join(FILE)).expect("the file");
        assert!(!stored.contains(text.rsplit('_').next().expect("a secret")), "the secret is not stored");
        assert_eq!(tokens.find(&text).expect("a file").map(|token| token.name).as_deref(), Some("phone"));
        assert_eq!(tokens.find("mt_phone_00").expect("a file"), None);
        assert!(tokens.add(token("phone", Kind::Owner)).is_err());
        assert!(tokens.remove("phone").expect("a file"));
        assert_eq!(tokens.find(&text).expect("a file"), None);
    }

    #[test]
    fn a_directory_that_was_moved_is_no_list_without_tokens() {
        let parent = tempfile::tempdir().expect("a temporary directory");
        let (dir, moved) = (parent.path().join("memory"), parent.path().join("moved"));
        fs::create_dir(&dir).expect("a directory");
        let tokens = Tokens::of(&dir);
        let text = tokens.add(token("phone", Kind::Owner)).expect("a token");
        assert!(tokens.find(&text).expect("a file").is_some());
        fs::rename(&dir, &moved).expect("the directory is moved");
        assert!(tokens.find(&text).is_err());
        // The place where a disk was mounted.
        fs::create_dir(&dir).expect("a directory");
        assert!(tokens.find(&text).is_err());
        fs::remove_dir(&dir).expect("an empty directory");
        fs::rename(&moved, &dir).expect("the directory is back");
        assert!(tokens.find(&text).expect("a file").is_some());
    }

    #[test]
    fn a_change_of_another_process_counts_at_once() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let (one, other) = (Tokens::of(dir.path()), Tokens::of(dir.path()));
        for n in 0..50 {
            let name = format!("t{n}");
            let text = one.add(token(&name, Kind::Owner)).expect("a token");
            assert!(other.find(&text).expect("a file").is_some(), "{n}");
            assert!(other.remove(&name).expect("a file"));
            assert!(one.find(&text).expect("a file").is_none(), "{n}");
        }
    }

    #[test]
    fn a_file_with_an_unknown_toolset_is_not_understood() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let tokens = Tokens::of(dir.path());
        let text = tokens.add(token("phone", Kind::Owner)).expect("a token");
        let file = dir.path().join(FILE);
        let stored = fs::read_to_string(&file).expect("the file");
        fs::write(&file, stored.replace("\"core\"", "\"skies\"")).expect("the file is writable");
        let e = Tokens::of(dir.path()).find(&text).expect_err("skies is no toolset");
        assert_eq!(e.kind(), io::ErrorKind::InvalidData);
        assert!(e.to_string().ends_with("unknown toolset \"skies\""), "{e}");
    }

    #[cfg(unix)]
    #[test]
    fn others_of_the_machine_cannot_read_the_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().expect("a temporary directory");
        Tokens::of(dir.path()).add(token("a", Kind::Owner)).expect("a token");
        let mode = fs::metadata(dir.path().join(FILE)).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_token_that_could_not_be_used_is_refused() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let tokens = Tokens::of(dir.path());
        for bad in [
            token("", Kind::Owner),
            token("a_b", Kind::Owner),
            token("a", Kind::Fixed { session: "telegram:".into(), user: None }),
            token("a", Kind::Fixed { session: "telegram:42".into(), user: Some(String::new()) }),
            token("a", Kind::Fixed { session: "telegram:42".into(), user: Some("telegram:".into()) }),
            token("a", Kind::Fixed { session: "cli:app".into(), user: None }),
            token("a", Kind::Fixed { session: "app".into(), user: Some("web:ana".into()) }),
            token("a", Kind::Gateway { prefix: "telegram".into() }),
            token("a", Kind::Gateway { prefix: "cli:".into() }),
            token("a", Kind::Gateway { prefix: "telegram::".into() }),
            Token { tools: vec!["all".into()], ..token("a", Kind::Owner) },
        ] {
            let e = tokens.add(bad).expect_err("it is not valid");
            assert_eq!(e.kind(), io::ErrorKind::InvalidInput);
        }
    }
}
