//! Tests of the contract of an upstream, over the implementation in memory.

mod memory;
