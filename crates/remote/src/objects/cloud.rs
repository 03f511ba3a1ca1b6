//! The object stores of S3, Google Cloud and Azure.

use std::error::Error as StdError;
use std::str::FromStr;
use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use memtape_upstream::{Error, Result};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::client::{HttpError, HttpErrorKind};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{Error as StoreError, GetOptions, ObjectStore, PutMode, RetryConfig, UpdateVersion};

use super::address::{Address, Kind};
use super::http::Connector;
use super::store::{Object, Read, Store, Version};
use crate::runtime::wait;

/// The address of the service that gives a machine in a cloud its credentials. A store without any credentials
/// asks it, so a failure there means that there are none.
const METADATA_SERVICES: [&str; 2] = ["169.254.169.254", "metadata.google.internal"];
/// What a store says of a bucket that does not exist.
const NO_BUCKET: [&str; 3] = ["NoSuchBucket", "ContainerNotFound", "The specified bucket does not exist"];

/// What a message has if the server may answer later: it failed, was too slow to take the request, or is overloaded.
const BUSY: [&str; 3] = ["status code: 5", "status code: 408", "status code: 429"];

/// A prefix in a bucket.
pub(super) struct Cloud {
    store: Arc<dyn ObjectStore>,
    label: String,
    bucket: String,
    root: Path,
    /// The variables of the environment that have its credentials.
    variables: &'static str,
}

impl Cloud {
    /// Prepares the requests to a bucket. Nothing is sent. `options` take precedence over the environment, and have the
    /// names of its variables.
    ///
    /// # Errors
    /// [`Error::Refused`] if the configuration is incomplete.
    pub(super) fn open(address: &Address, options: &[(&str, &str)]) -> Result<Self> {
        let label = address.to_string();
        let store = build(address, options)
            .map_err(|e| Error::Refused { upstream: label.clone(), why: without_period(&cause(&e)) })?;
        let variables = match address.kind {
            Kind::Gcs => "GOOGLE_APPLICATION_CREDENTIALS",
            Kind::Azure => "AZURE_STORAGE_ACCOUNT_KEY",
            Kind::S3 | Kind::Files => "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        };
        Ok(Self {
            store,
            label,
            variables,
            bucket: address.bucket.clone(),
            root: Path::from(&*address.prefix),
        })
    }

    fn path(&self, key: &str) -> Path {
        let key = Path::from(key);
        self.root.parts().chain(key.parts()).collect()
    }

    fn put(&self, key: &str, bytes: &[u8], mode: PutMode) -> Result<Option<Version>> {
        let put = wait(self.store.put_opts(&self.path(key), bytes.to_vec().into(), mode.into()));
        match put {
            Ok(put) => Ok(Some(Version(UpdateVersion { e_tag: put.e_tag, version: put.version }))),
            Err(StoreError::AlreadyExists { .. } | StoreError::Precondition { .. }) => Ok(None),
            Err(error) => Err(self.failure(&error, true)),
        }
    }

    /// Translates an error. A request that does not write has no effect, however it fails.
    fn failure(&self, error: &StoreError, writes: bool) -> Error {
        let upstream = self.label.clone();
        let full = error.to_string();
        if is_of_bucket(error) {
            let why = format!("the bucket {:?} does not exist: create it first", self.bucket);
            return Error::Refused { upstream, why };
        }
        if METADATA_SERVICES.iter().any(|host| full.contains(host)) {
            let why = format!("no credentials were found: set {} in the environment", self.variables);
            return Error::Refused { upstream, why };
        }
        let why = without_period(&cause(error));
        match http_error(error).map(HttpError::kind) {
            Some(HttpErrorKind::Connect) => Error::Unreachable { upstream, why },
            Some(_) if writes => Error::Unknown { upstream, why },
            Some(_) => Error::Unreachable { upstream, why },
            // A failure in the server says nothing about what it did before.
            None if full.contains("status code: 5") && writes => Error::Unknown { upstream, why },
            None if BUSY.iter().any(|status| full.contains(status)) => Error::Unreachable { upstream, why },
            None => Error::Refused { upstream, why },
        }
    }
}

impl Store for Cloud {
    fn read(&self, key: &str, known: Option<&Version>) -> Result<Read> {
        let path = self.path(key);
        let if_none_match = known.and_then(|version| version.0.e_tag.clone());
        let options = GetOptions { if_none_match, ..GetOptions::default() };
        let read = wait(async {
            let found = self.store.get_opts(&path, options).await?;
            let version =
                UpdateVersion { e_tag: found.meta.e_tag.clone(), version: found.meta.version.clone() };
            Ok((found.bytes().await?, version))
        });
        match read {
            Ok((bytes, version)) => {
                Ok(Read::Object(Object { bytes: bytes.into(), version: Version(version) }))
            }
            Err(StoreError::NotModified { .. }) => Ok(Read::Unchanged),
            Err(error @ StoreError::NotFound { .. }) if !is_of_bucket(&error) => Ok(Read::Missing),
            Err(error) => Err(self.failure(&error, false)),
        }
    }

    fn create(&self, key: &str, bytes: &[u8]) -> Result<Option<Version>> {
        self.put(key, bytes, PutMode::Create)
    }

    fn swap(&self, key: &str, bytes: &[u8], version: &Version) -> Result<Option<Version>> {
        self.put(key, bytes, PutMode::Update(version.0.clone()))
    }

    fn delete(&self, keys: &[String]) -> Result<()> {
        let paths: Vec<_> = keys.iter().map(|key| Ok(self.path(key))).collect();
        wait(async {
            let mut deleted = self.store.delete_stream(stream::iter(paths).boxed());
            while let Some(deleted) = deleted.next().await {
                match deleted {
                    Ok(_) | Err(StoreError::NotFound { .. }) => {}
                    Err(error) => return Err(self.failure(&error, true)),
                }
            }
            Ok(())
        })
    }

    fn list(&self, folder: &str, from: &str) -> Result<Vec<String>> {
        let offset = self.path(&format!("{folder}/{from}"));
        let folder = self.path(folder);
        let listed = wait(self.store.list_with_offset(Some(&folder), &offset).try_collect::<Vec<_>>());
        let listed = listed.map_err(|error| self.failure(&error, false))?;
        let mut keys: Vec<String> = listed
            .into_iter()
            .filter_map(|meta| {
                let parts: Vec<_> =
                    meta.location.prefix_match(&self.root)?.map(|part| part.as_ref().to_owned()).collect();
                Some(parts.join("/"))
            })
            .collect();
        keys.sort_unstable();
        Ok(keys)
    }
}

fn build(address: &Address, options: &[(&str, &str)]) -> object_store::Result<Arc<dyn ObjectStore>> {
    let retry = RetryConfig { max_retries: 0, ..RetryConfig::default() };
    let bucket = &address.bucket;
    Ok(match address.kind {
        Kind::Gcs => {
            let mut builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket);
            for (key, value) in parsed::<GoogleConfigKey>(options) {
                builder = builder.with_config(key, value);
            }
            let connector = Connector { is_conflict_transient: false };
            Arc::new(builder.with_retry(retry).with_http_connector(connector).build()?)
        }
        Kind::Azure => {
            let mut builder = MicrosoftAzureBuilder::from_env().with_container_name(bucket);
            for (key, value) in parsed::<AzureConfigKey>(options) {
                builder = builder.with_config(key, value);
            }
            let connector = Connector { is_conflict_transient: false };
            Arc::new(builder.with_retry(retry).with_http_connector(connector).build()?)
        }
        Kind::S3 | Kind::Files => {
            let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
            for (key, value) in parsed::<AmazonS3ConfigKey>(options) {
                builder = builder.with_config(key, value);
            }
            let connector = Connector { is_conflict_transient: true };
            Arc::new(builder.with_retry(retry).with_http_connector(connector).build()?)
        }
    })
}

/// Returns the options whose names a store knows.
fn parsed<K: FromStr>(options: &[(&str, &str)]) -> Vec<(K, String)> {
    let known = options
        .iter()
        .filter_map(|(name, value)| Some((name.to_ascii_lowercase().parse().ok()?, (*value).to_owned())));
    known.collect()
}

fn is_of_bucket(error: &StoreError) -> bool {
    let full = error.to_string();
    NO_BUCKET.iter().any(|text| full.contains(text))
}

fn http_error(error: &StoreError) -> Option<&HttpError> {
    let mut source: Option<&(dyn StdError + 'static)> = error.source();
    while let Some(error) = source {
        if let Some(http) = error.downcast_ref::<HttpError>() {
            return Some(http);
        }
        source = error.source();
    }
    None
}

/// Returns the message of the store, without the path and the address of the request around it.
fn cause(error: &StoreError) -> String {
    let mut source: &(dyn StdError + 'static) = error;
    while let Some(inner) = source.source() {
        source = inner;
    }
    let text = source.to_string();
    let element = |open: &str, close: &str| Some(text.split_once(open)?.1.split_once(close)?.0);
    let message = element("<Message>", "</Message>").or_else(|| element("<Code>", "</Code>"));
    message.unwrap_or(text.trim()).to_owned()
}

fn without_period(text: &str) -> String {
    text.trim_end_matches('.').to_owned()
}
