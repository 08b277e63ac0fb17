//! Raw bodies at rest: zstd-compressed, with length and SHA-256 of the original.

use std::io;

use sha2::{Digest, Sha256};

/// Fastest level: bodies are small, and the pump reads each one once.
const LEVEL: i32 = 1;

/// Compresses a body.
pub(crate) fn pack(body: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(body, LEVEL)
}

/// Restores a body of `length` bytes; an error if the bytes are not what [`pack`] made of it.
pub(crate) fn unpack(packed: &[u8], length: usize) -> io::Result<Vec<u8>> {
    let body = zstd::bulk::decompress(packed, length)?;
    if body.len() == length {
        Ok(body)
    } else {
        Err(io::Error::other(format!("expected {length} bytes, found {}", body.len())))
    }
}

/// SHA-256 of a body.
pub(crate) fn digest(body: &[u8]) -> [u8; 32] {
    Sha256::digest(body).into()
}
