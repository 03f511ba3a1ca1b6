//! An S3 server in this process: s3s over a directory.
//!
//! It checks signatures and conditions as S3 does. Three things are added here: a condition and the write that it
//! guards are one step, a read whose entity tag has not changed is answered with 304, and there is no other bucket.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::dto::*;
use s3s::service::S3ServiceBuilder;
use s3s::{S3, S3Error, S3ErrorCode, S3Request, S3Response, S3Result};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::RwLock;

const BUCKET: &str = "bucket";
const ID: &str = "test-id";
const SECRET: &str = "test-secret";

/// A running server with one bucket, `bucket`. It stops when it is dropped.
pub struct Server {
    endpoint: String,
    root: TempDir,
    runtime: Option<Runtime>,
    failures: Arc<AtomicUsize>,
}

impl Server {
    /// Returns the server of this process, and starts it if this is the first call.
    ///
    /// # Panics
    /// As [`Server::start`].
    #[must_use]
    pub fn shared() -> &'static Self {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(Self::start)
    }

    /// Starts a server.
    ///
    /// # Panics
    /// If the machine has no temporary folder or no free port.
    #[must_use]
    pub fn start() -> Self {
        let root = TempDir::new().expect("the machine has a temporary folder");
        std::fs::create_dir(root.path().join(BUCKET)).expect("a new folder takes folders");
        let files = FileSystem::new(root.path()).expect("the folder exists");
        let failures = Arc::<AtomicUsize>::default();
        let files = Store { files, lock: RwLock::default(), failures: Arc::clone(&failures) };
        let runtime = Runtime::new().expect("the machine starts threads");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("there is a free port");
        let endpoint = format!("http://{}", listener.local_addr().expect("it has an address"));
        let mut service = S3ServiceBuilder::new(files);
        service.set_auth(SimpleAuth::from_single(ID, SECRET));
        let service = service.build();
        runtime.spawn(async move {
            let http = Builder::new(TokioExecutor::new());
            while let Ok((socket, _)) = listener.accept().await {
                let connection = http.serve_connection(TokioIo::new(socket), service.clone()).into_owned();
                tokio::spawn(connection);
            }
        });
        Self { endpoint, root, runtime: Some(runtime), failures }
    }

    /// Returns the options of a connection.
    #[must_use]
    pub fn options(&self) -> [(&str, &str); 5] {
        [
            ("AWS_ACCESS_KEY_ID", ID),
            ("AWS_SECRET_ACCESS_KEY", SECRET),
            ("AWS_ENDPOINT", &self.endpoint),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
        ]
    }

    /// Lets the next requests fail as those of a server that is overloaded.
    pub fn fail(&self, requests: usize) {
        self.failures.store(requests, Ordering::SeqCst);
    }

    /// Returns the directory that has everything that the server stores.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.root.path()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
    }
}

struct Store {
    files: FileSystem,
    lock: RwLock<()>,
    /// Number of requests that fail.
    failures: Arc<AtomicUsize>,
}

impl Store {
    fn check(&self, bucket: &str) -> S3Result<()> {
        let fewer = |failures: usize| failures.checked_sub(1);
        if self.failures.try_update(Ordering::SeqCst, Ordering::SeqCst, fewer).is_ok() {
            return Err(S3Error::new(S3ErrorCode::SlowDown));
        }
        if bucket == BUCKET { Ok(()) } else { Err(S3Error::new(S3ErrorCode::NoSuchBucket)) }
    }
}

#[async_trait]
impl S3 for Store {
    async fn get_object(&self, request: S3Request<GetObjectInput>) -> S3Result<S3Response<GetObjectOutput>> {
        self.check(&request.input.bucket)?;
        let known = request.input.if_none_match.clone();
        let _guard = self.lock.read().await;
        let response = self.files.get_object(request).await?;
        let tag = response.output.e_tag.as_ref();
        if known.is_some_and(|known| known.as_etag().zip(tag).is_some_and(|(known, tag)| known.weak_cmp(tag)))
        {
            return Err(S3Error::new(S3ErrorCode::NotModified));
        }
        Ok(response)
    }

    async fn put_object(&self, request: S3Request<PutObjectInput>) -> S3Result<S3Response<PutObjectOutput>> {
        self.check(&request.input.bucket)?;
        let _guard = self.lock.write().await;
        self.files.put_object(request).await
    }

    async fn delete_objects(
        &self,
        request: S3Request<DeleteObjectsInput>,
    ) -> S3Result<S3Response<DeleteObjectsOutput>> {
        let _guard = self.lock.write().await;
        self.files.delete_objects(request).await
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        let _guard = self.lock.read().await;
        self.files.list_objects_v2(request).await
    }
}
