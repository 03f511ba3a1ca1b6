//! Paths of notes, made of any bytes.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| memtape_core::forms::notes::trial::path(bytes));
