//! `msgx demo`: the pipeline, embedded, with an invented airport upstream of it.

mod post;
mod summary;
mod upstream;

pub(crate) use post::Post;
pub(crate) use summary::Summary;
use summary::summarise;
pub(crate) use upstream::Upstream;
