//! Connections, shared by all tapes of one database and role.

use std::collections::HashMap;
use std::str::FromStr as _;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use memtape_upstream::{Error, Result};
use rustls::{ClientConfig, RootCertStore};
use tokio::time::error::Elapsed;
use tokio_postgres::Config;
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

/// Returns the pool of a database. The connection is encrypted as `sslmode` says, with the certificates of the Mozilla
/// root programme.
pub(super) fn of(database: &str, label: &str) -> Result<Pool> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(database) {
        return Ok(pool.clone());
    }
    let refused = |why: String| Error::Refused { upstream: label.to_owned(), why };
    let mut config = Config::from_str(database).map_err(|e| refused(e.to_string()))?;
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
    let manager = Manager::from_config(config, tls().map_err(|e| refused(e.to_string()))?, manager);
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

fn tls() -> std::result::Result<MakeRustlsConnect, rustls::Error> {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// Waits for a request for at most [`REQUEST_WAIT`].
pub(super) async fn in_time<T>(request: impl Future<Output = T>) -> std::result::Result<T, Elapsed> {
    tokio::time::timeout(REQUEST_WAIT, request).await
}
