//! The arguments of `backup` and `restore`.

use std::path::PathBuf;

use clap::Args;

/// How an address is written, and where credentials are.
const ADDRESSES: &str = "\
URL is one of:
  s3://BUCKET/PREFIX      S3 and everything that speaks its protocol
  gs://BUCKET/PREFIX      Google Cloud Storage
  az://CONTAINER/PREFIX   Azure Blob Storage
  file:///PATH            a directory

Credentials are read from the environment: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
AWS_ENDPOINT; GOOGLE_APPLICATION_CREDENTIALS; AZURE_STORAGE_ACCOUNT_NAME, AZURE_STORAGE_ACCOUNT_KEY.
docs/guides/backup.md has more.";

#[derive(Args)]
#[command(after_help = ADDRESSES)]
pub(crate) struct BackupArgs {
    /// The backup: s3://, gs://, az:// or file:///; it is created if it does not exist
    pub(crate) url: String,
}

#[derive(Args)]
#[command(after_help = ADDRESSES)]
pub(crate) struct RestoreArgs {
    /// The backup: s3://, gs://, az:// or file:///; it is only read
    pub(crate) url: String,
    /// The directory of the new workspace, which must be empty or not exist
    pub(crate) dir: PathBuf,
}
