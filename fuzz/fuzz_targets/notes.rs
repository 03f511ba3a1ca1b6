//! The Markdown of notes, made of any bytes: read, brought up to date, merged, rendered.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| memtape_core::forms::notes::trial::markdown(bytes));
