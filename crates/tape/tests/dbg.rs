#![allow(clippy::unwrap_used, missing_docs)]
mod common;
use common::*;
#[test]
fn dbg() {
    let (b, _) = tape(&[3,2,2,3,2]);
    let mut x = b.clone();
    let hashes: Vec<usize> = memchr::memmem::find_iter(&b, b"\"hash\":\"").map(|at| at + 8).collect();
    x[hashes[1]] ^= 8;
    let at = (4209960878281511298u128 * b.len() as u128 >> 64) as usize;
    x[at] ^= 1;
    println!("{at}\n{}\n{}", String::from_utf8_lossy(&x), found(&x));
    let (b, _) = tape(&[4,1]);
    let mut x = b.clone();
    let at = (13803007727740969511u128 * b.len() as u128 >> 64) as usize;
    x[at] ^= 1;
    let mut l = lines(&x);
    let n = (7378697629483820647u128 * l.len() as u128 >> 64) as usize;
    l.remove(n);
    let x = l.concat();
    println!("{at} {n}\n{}\n{}", String::from_utf8_lossy(&x), found(&x));
    for (sizes, a, c) in [(&[3,2][..], 10113658912999059188u128, 6296108788092372058u128), (&[4,1,1,1,1],15642340413855058972,13158440029412508344) ]{
    let (b, _) = tape(sizes);
    let mut x = b.clone();
    for a in [a, c] {
    let at = (a * b.len() as u128 >> 64) as usize;
    x[at] ^= 1;
    println!("{at} line {} byte {}", at / 259 + 1, at % 259);
    }
    println!("{}\n{}", String::from_utf8_lossy(&x), found(&x));
    }
}
