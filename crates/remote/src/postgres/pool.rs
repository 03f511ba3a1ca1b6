//! Connections, shared by all tapes of one database and role.

use std::collections::HashMap;
use std::fmt::Display;
use std::net::IpAddr;
use std::str::FromStr as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use memtape_upstream::{Error, Result};
use percent_encoding::percent_decode_str;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio::time::error::Elapsed;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Maximum number of connections to one database.
const CONNECTIONS_MAX: usize = 16;
/// How long a connection may take, and how long a request waits for a free one.
const CONNECT_WAIT: Duration = Duration::from_secs(5);
/// How long a request may take. A longer one is repeated, on another connection.
const REQUEST_WAIT: Duration = Duration::from_secs(60);
/// How long sent data may wait for its confirmation before the connection counts as lost.
const SILENCE: Duration = Duration::from_secs(10);

/// The pools by the address of their database.
static POOLS: LazyLock<Mutex<HashMap<String, Pool>>> = LazyLock::new(Mutex::default);

/// Returns the pool of a database. The connection is encrypted as `sslmode` says; by default it is if the server offers
/// it, and not to a server on this machine.
pub(super) fn of(database: &str, label: &str) -> Result<Pool> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(database) {
        return Ok(pool.clone());
    }
    let refused = |why: String| Error::Refused { upstream: label.to_owned(), why };
    let (database_of_client, authority) = certificates(database);
    let mut config = Config::from_str(&database_of_client).map_err(|e| refused(e.to_string()))?;
    if !database.contains("sslmode=") && config.get_hosts().iter().all(is_here) {
        // Nobody listens in between; and the certificate of a local server is usually its own.
        config.ssl_mode(SslMode::Disable);
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_WAIT);
    }
    if config.get_password().is_none()
        && let Ok(password) = std::env::var("PGPASSWORD")
    {
        config.password(password);
    }
    config.tcp_user_timeout(SILENCE).keepalives_idle(SILENCE);
    config.application_name("memtape");
    let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config, tls(authority.as_deref()).map_err(refused)?, manager);
    let pool = Pool::builder(manager)
        .max_size(CONNECTIONS_MAX)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(CONNECT_WAIT))
        .create_timeout(Some(CONNECT_WAIT))
        .build()
        .map_err(|e| refused(e.to_string()))?;
    pools.insert(database.to_owned(), pool.clone());
    Ok(pool)
}

/// Returns an address as the client takes it, and the file of the authority that the server's certificate must be of:
/// that of `sslrootcert`, else of `PGSSLROOTCERT`. The client always checks certificates and names, so the stricter
/// modes are `require`.
fn certificates(database: &str) -> (String, Option<String>) {
    let mut authority = std::env::var("PGSSLROOTCERT").ok();
    let (base, query) = database.split_once('?').unwrap_or((database, ""));
    let mut rest = Vec::new();
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        match parameter.split_once('=') {
            Some(("sslrootcert", file)) => {
                authority = Some(percent_decode_str(file).decode_utf8_lossy().into_owned());
            }
            Some(("sslmode", "verify-ca" | "verify-full")) => rest.push("sslmode=require"),
            _ => rest.push(parameter),
        }
    }
    let joint = if rest.is_empty() { "" } else { "?" };
    (format!("{base}{joint}{}", rest.join("&")), authority)
}

/// Returns whether a server is on this machine.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

/// Returns the encryption, with the certificates of a file, or those of the Mozilla root programme.
fn tls(authority: Option<&str>) -> std::result::Result<MakeRustlsConnect, String> {
    let mut roots = RootCertStore::empty();
    match authority {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(file) => {
            let unusable = |e: &dyn Display| format!("cannot use the certificates in {file}: {e}");
            for certificate in CertificateDer::pem_file_iter(file).map_err(|e| unusable(&e))? {
                roots.add(certificate.map_err(|e| unusable(&e))?).map_err(|e| unusable(&e))?;
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| e.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// Waits for a request for at most [`REQUEST_WAIT`].
pub(super) async fn in_time<T>(request: impl Future<Output = T>) -> std::result::Result<T, Elapsed> {
    tokio::time::timeout(REQUEST_WAIT, request).await
}

#[cfg(test)]
mod tests {
    use super::certificates;

    #[test]
    fn the_settings_of_certificates_are_those_of_libpq() {
        for (url, client, file) in [
            ("postgres://h/d", "postgres://h/d", None),
            ("postgres://h/d?sslmode=verify-full", "postgres://h/d?sslmode=require", None),
            (
                "postgres://h/d?sslrootcert=%2Fetc%2Fca.pem&connect_timeout=3",
                "postgres://h/d?connect_timeout=3",
                Some("/etc/ca.pem"),
            ),
        ] {
            assert_eq!(certificates(url), (client.to_owned(), file.map(str::to_owned)), "{url}");
        }
    }
}
