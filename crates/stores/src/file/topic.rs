//! One topic's file: where its next line goes, and how a batch gets there.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use engine::ports::{Published, Receipt, Record, SinkError};
use jiff::Timestamp;
use serde_json::Value;

use super::line::{line, value};

/// One topic's file: what is known of it from the last time.
#[derive(Debug)]
pub(super) struct TopicFile {
    pub(super) topic: String,
    pub(super) path: PathBuf,
    /// Bytes it had then.
    bytes: u64,
    /// Lines in them.
    lines: i64,
}

impl TopicFile {
    pub(super) fn new(directory: &Path, topic: &str) -> Self {
        Self { topic: topic.to_owned(), path: directory.join(format!("{topic}.jsonl")), bytes: 0, lines: 0 }
    }

    pub(super) fn open(&self) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&self.path)
    }

    /// Writes what can be written; a failure of the file is every record's answer.
    pub(super) fn append(&mut self, records: &[&Record]) -> Vec<Published> {
        let values: Vec<_> = records.iter().map(|record| value(record)).collect();
        match self.write(records, &values) {
            Ok(first) => {
                let mut offsets = first..;
                let mut receipt = || Receipt { partition: 0, offset: offsets.next().unwrap_or(i64::MAX) };
                values.into_iter().map(|value| value.map(|_| receipt())).collect()
            }
            Err(error) => {
                let error = SinkError::Unavailable(named(&self.path, &error).to_string());
                values.into_iter().map(|value| Err(value.err().unwrap_or_else(|| error.clone()))).collect()
            }
        }
    }

    /// Appends the records whose value is good; returns the offset of the first. Other writers
    /// are kept out by the file's lock, which ends with `file`.
    fn write(&mut self, records: &[&Record], values: &[Result<Value, SinkError>]) -> io::Result<i64> {
        let mut file = self.open()?;
        file.lock()?;
        if file.metadata()?.len() != self.bytes {
            (self.bytes, self.lines) = mend(&file)?;
        }
        let first = self.lines;
        let now = publish_time();
        let mut text = String::new();
        let mut lines = self.lines;
        for (record, value) in records.iter().zip(values) {
            if let Ok(value) = value {
                text.push_str(&line(record, value, lines, now));
                text.push('\n');
                lines += 1;
            }
        }
        file.seek(SeekFrom::Start(self.bytes))?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        self.bytes += text.len() as u64;
        self.lines = lines;
        Ok(first)
    }
}

/// Milliseconds since 1970, as brokers stamp records.
#[expect(clippy::disallowed_methods, reason = "publish time is the sink's own, as it is a broker's")]
fn publish_time() -> i64 {
    Timestamp::now().as_millisecond()
}

/// Cuts off what follows the last line end; returns the bytes and lines that remain.
fn mend(file: &File) -> io::Result<(u64, i64)> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    reader.seek(SeekFrom::Start(0))?;
    let (mut bytes, mut lines, mut read) = (0, 0, 0);
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        let ends = chunk.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        for (at, _) in ends {
            bytes = read + at as u64 + 1;
            lines += 1;
        }
        let length = chunk.len();
        read += length as u64;
        reader.consume(length);
    }
    if read > bytes {
        file.set_len(bytes)?;
    }
    Ok((bytes, lines))
}

pub(super) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
