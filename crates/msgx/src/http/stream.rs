//! `GET /api/v1/stream`: server-sent events for the page. `past` and `board` once, then `facts`
//! every second and `flights` as they change.

use std::convert::Infallible;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use engine::ports::Views;
use futures::{Stream, StreamExt, stream};
use serde_json::Value;
use tokio_stream::wrappers::{BroadcastStream, WatchStream};

use super::Server;
use super::board::board;
use super::news::READ_AGAIN;

pub(super) async fn stream<V: Views>(
    State(server): State<Server<V>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    // Listening begins before the board is read, so that no change falls between them.
    let batches = BroadcastStream::new(server.news.batches()).map(|batch| batch.ok());
    let facts = WatchStream::new(server.news.facts.clone())
        .filter_map(async |facts| (!facts.is_null()).then_some(facts));
    let whole = stream::once(board(server.app.clone()))
        .filter_map(async |board| board.ok())
        .map(|rows| event("board", &Value::Array(rows)));
    let past = stream::once(std::future::ready(event("past", &server.news.past())));
    let app = server.app;
    let changes = batches.filter_map(move |batch| {
        let app = app.clone();
        async move {
            match batch {
                Some(rows) if *rows != READ_AGAIN => Some(event("flights", &rows)),
                // So does a page that lagged.
                Some(_) | None => board(app).await.ok().map(|rows| event("board", &Value::Array(rows))),
            }
        }
    });
    let facts = facts.map(|facts| event("facts", &facts));
    let events = past.chain(whole).chain(stream::select(Box::pin(changes), Box::pin(facts)));
    Sse::new(events.map(Ok)).keep_alive(KeepAlive::default())
}

fn event(name: &str, data: &Value) -> Event {
    Event::default().event(name).data(data.to_string())
}
