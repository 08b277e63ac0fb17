//! The sink of embedded mode: JSON lines, one file per topic in a directory.
//!
//! A line is a record as consumers of a broker would see it; its number, from 0, is the offset.
//! A batch is on disk before its answers are given, so a line that a crash cut short was never
//! acknowledged: it is removed before the next one is written.

mod line;
mod topic;

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::event::Target;
use engine::ports::{Published, Record, Sink, SinkError};

use topic::{TopicFile, named};

/// Topics, which are file names too (`<topic>.jsonl`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTopics {
    /// `kafka.topics.msg`.
    pub msg: String,
    /// `kafka.topics.schd`.
    pub schd: String,
}

/// A sink that writes files. Clones share their files; other processes may write them too.
#[derive(Debug, Clone)]
pub struct FileSink {
    topics: FileTopics,
    files: Arc<[Mutex<TopicFile>; 2]>,
}

impl FileSink {
    /// Creates directory and files where they are missing. The error names what is wrong with
    /// a topic, or the file that can't be used.
    pub fn open(directory: &Path, topics: FileTopics) -> io::Result<Self> {
        for topic in [&topics.msg, &topics.schd] {
            check_name(topic)?;
        }
        if topics.msg == topics.schd {
            return Err(io::Error::other(format!(
                "both targets have the topic {:?}; give each its own",
                topics.msg
            )));
        }
        fs::create_dir_all(directory)?;
        let files = [&topics.msg, &topics.schd].map(|topic| TopicFile::new(directory, topic));
        for file in &files {
            file.open().map_err(|error| named(&file.path, &error))?;
        }
        // The files' names must survive a crash as well as what is in them.
        File::open(directory)?.sync_all()?;
        Ok(Self { topics, files: Arc::new(files.map(Mutex::new)) })
    }
}

impl Sink for FileSink {
    async fn publish(&self, records: &[Record]) -> Vec<Published> {
        let (files, batch) = (Arc::clone(&self.files), records.to_vec());
        let written = tokio::task::spawn_blocking(move || publish(&files, &batch)).await;
        written.unwrap_or_else(|error| {
            records
                .iter()
                .map(|_| Err(SinkError::Unavailable(format!("writing ended early: {error}"))))
                .collect()
        })
    }

    async fn check(&self) -> Vec<String> {
        let files = Arc::clone(&self.files);
        let checked = tokio::task::spawn_blocking(move || files.iter().filter_map(finding).collect()).await;
        checked.unwrap_or_else(|error| vec![format!("the check ended early: {error}")])
    }

    async fn reach(&self, target: Target) -> Result<(), String> {
        let (files, topic) = (Arc::clone(&self.files), self.topic(target).to_owned());
        let is_of = move |file: &&Mutex<TopicFile>| held(file).topic == topic;
        let looked = tokio::task::spawn_blocking(move || files.iter().filter(is_of).find_map(finding)).await;
        looked.map_err(|error| format!("the look at it ended early: {error}"))?.map_or(Ok(()), Err)
    }

    fn topic(&self, target: Target) -> &str {
        match target {
            Target::Msg => &self.topics.msg,
            Target::Schd => &self.topics.schd,
        }
    }
}

fn held(file: &Mutex<TopicFile>) -> MutexGuard<'_, TopicFile> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

fn finding(file: &Mutex<TopicFile>) -> Option<String> {
    let file = held(file);
    file.open().err().map(|error| named(&file.path, &error).to_string())
}

/// One answer per record, in order; records of one topic are written together.
fn publish(files: &[Mutex<TopicFile>; 2], records: &[Record]) -> Vec<Published> {
    let undeclared = |record: &Record| {
        Err(SinkError::Unavailable(format!("topic {:?} is not one of this sink's", record.topic)))
    };
    let mut answers: Vec<Published> = records.iter().map(undeclared).collect();
    for file in files {
        let mut file = held(file);
        let places: Vec<usize> = (0..records.len()).filter(|at| records[*at].topic == file.topic).collect();
        if places.is_empty() {
            continue;
        }
        let batch: Vec<&Record> = places.iter().map(|at| &records[*at]).collect();
        for (at, answer) in places.into_iter().zip(file.append(&batch)) {
            answers[at] = answer;
        }
    }
    answers
}

/// The names that brokers accept: they can't leave the directory.
fn check_name(topic: &str) -> io::Result<()> {
    let good = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    if (1..=200).contains(&topic.len()) && topic.chars().all(good) && !topic.starts_with('.') {
        Ok(())
    } else {
        Err(io::Error::other(format!(
            "{topic:?} is no topic name: use 1 to 200 letters, digits, dots, underscores and hyphens"
        )))
    }
}

#[cfg(test)]
mod tests;
