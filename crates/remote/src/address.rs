//! The address of a tape in PostgreSQL.

use memtape_upstream::{Error, Result};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The name of the workspace if the address has none.
const DEFAULT_WORKSPACE: &str = "default";
/// The longest name of a workspace, in bytes.
const NAME_BYTES_MAX: usize = 200;

/// `postgres://USER:PASSWORD@HOST/DATABASE?workspace=NAME`, in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address of the database, as a client of PostgreSQL takes it.
    pub database: String,
    /// The name of the workspace.
    pub workspace: String,
}

impl Address {
    /// Parses an address.
    ///
    /// # Errors
    /// [`Error::Refused`] if the name of the workspace is empty, too long, or has control characters, or if it is
    /// unclear where the credentials end.
    pub fn parse(url: &str) -> Result<Self> {
        let refused = |why: String| Error::Refused { upstream: "the address".into(), why };
        // A client takes everything before the first `@` for the credentials.
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        if let Some((credentials, rest)) = rest.split_once('@')
            && (credentials.contains(['/', '?'])
                || rest.split(['/', '?']).next().is_some_and(|h| h.contains('@')))
        {
            let why =
                "`/`, `?` and `@` in the user, the password or the workspace are written as %2F, %3F and %40";
            return Err(refused(why.to_owned()));
        }
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let mut workspace = DEFAULT_WORKSPACE.to_owned();
        let mut rest = Vec::new();
        for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.strip_prefix("workspace=") {
                Some(name) => workspace = percent_decode_str(name).decode_utf8_lossy().into_owned(),
                None => rest.push(parameter),
            }
        }
        let is_name = !workspace.is_empty()
            && workspace.len() <= NAME_BYTES_MAX
            && !workspace.contains(char::is_control);
        if !is_name {
            return Err(refused(format!(
                "the workspace {workspace:?} is no name of 1 to {NAME_BYTES_MAX} bytes"
            )));
        }
        let database = match rest.is_empty() {
            true => base.to_owned(),
            false => format!("{base}?{}", rest.join("&")),
        };
        Ok(Self { database, workspace })
    }

    /// Returns the address of the database without the password: with the user and the settings of the connection.
    #[must_use]
    pub fn without_password(&self) -> String {
        let (base, query) = self.database.split_once('?').unwrap_or((&self.database, ""));
        let base = match base.split_once('@') {
            Some((credentials, rest)) => {
                let user_begin = credentials.find("://").map_or(0, |at| at + 3);
                let user_end =
                    credentials[user_begin..].find(':').map_or(credentials.len(), |at| user_begin + at);
                format!("{}@{rest}", &credentials[..user_end])
            }
            None => base.to_owned(),
        };
        let settings: Vec<_> =
            query.split('&').filter(|one| !one.is_empty() && !one.starts_with("password=")).collect();
        match settings.is_empty() {
            true => base,
            false => format!("{base}?{}", settings.join("&")),
        }
    }

    /// Returns the address without the user, the password and the settings of the connection.
    #[must_use]
    pub fn label(&self) -> String {
        let base = self.database.split('?').next().unwrap_or_default();
        let (scheme, rest) = base.split_once("://").unwrap_or(("postgres", base));
        let authority_end = rest.find('/').unwrap_or(rest.len());
        let (authority, path) = rest.split_at(authority_end);
        let hosts = authority.rsplit_once('@').map_or(authority, |(_, hosts)| hosts);
        format!("{scheme}://{hosts}{path}?workspace={}", encoded(&self.workspace))
    }
}

/// Returns a name as a part of an address.
pub(crate) fn encoded(name: &str) -> String {
    utf8_percent_encode(name, NON_ALPHANUMERIC).to_string().replace("%2D", "-").replace("%5F", "_")
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn a_label_has_no_credentials() {
        for (url, label, database) in [
            (
                "postgres://ana:pw@db.example/memory?workspace=laptop",
                "postgres://db.example/memory?workspace=laptop",
                "postgres://ana:pw@db.example/memory",
            ),
            (
                "postgres://a:p%40@h1:5432,h2:5433/m?sslmode=require&workspace=ana%2Fnotes&x=1",
                "postgres://h1:5432,h2:5433/m?workspace=ana%2Fnotes",
                "postgres://a:p%40@h1:5432,h2:5433/m?sslmode=require&x=1",
            ),
            ("postgres://localhost/m", "postgres://localhost/m?workspace=default", "postgres://localhost/m"),
        ] {
            let address = Address::parse(url).unwrap();
            assert_eq!((address.label().as_str(), address.database.as_str()), (label, database));
            let again = crate::workspace_at(&address.database, &address.workspace);
            assert_eq!(Address::parse(&again).unwrap(), address);
        }
        assert!(Address::parse("postgres://h/m?workspace=").is_err());
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (url, shown) in [
            (
                "postgres://ana:p%40w@h1:5432,h2/m?sslmode=require&workspace=x",
                "postgres://ana@h1:5432,h2/m?sslmode=require",
            ),
            ("postgres://ana@h/m?password=pw&workspace=x", "postgres://ana@h/m"),
            ("postgres://h:5432/m", "postgres://h:5432/m"),
        ] {
            assert_eq!(Address::parse(url).unwrap().without_password(), shown);
        }
    }

    #[test]
    fn credentials_whose_end_is_unclear_are_refused() {
        for url in ["postgres://ana:p/w@h/m", "postgres://ana:p?w@h/m?workspace=x", "postgres://ana:p@w@h/m"]
        {
            let refused = Address::parse(url).unwrap_err().to_string();
            assert!(refused.contains("%2F") && !refused.contains("ana"), "{refused}");
        }
        let address = Address::parse("postgres://ana:p%2Fw@h/m?workspace=a@b").unwrap();
        assert_eq!(address.label(), "postgres://h/m?workspace=a%40b");
    }
}
