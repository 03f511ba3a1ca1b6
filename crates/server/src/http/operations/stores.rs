//! Memory stores.

use super::Operation;

/// The operations.
pub(super) const OPERATIONS: &[Operation] = &[];
