//! Lists of messages and one message whole, as JSON. Personal data is masked.

use std::pin::Pin;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use domain::MsgId;
use domain::mailbox::IdRange;
use engine::ports::{Actions, Mailbox, MailboxRow, Views};
use serde_json::Value;

use super::Server;
use super::detached::{Refusal, detached, unavailable};
use crate::passport::{Passport, Shown};
use crate::register::{Filters, page_json};

type Answer = Result<Json<Value>, Refusal>;

/// What was seen of a row, or why nothing was.
type Seen = Result<Option<MailboxRow>, String>;

/// Looks a message up in the mailbox.
type Look = dyn Fn(MsgId) -> Pin<Box<dyn Future<Output = Seen> + Send>> + Send + Sync;

/// Whoever can look at a row of the mailbox.
#[derive(Clone)]
pub(crate) struct Witness(Arc<Look>);

impl Witness {
    /// The mailbox itself.
    pub(crate) fn of<M: Mailbox>(mailbox: Arc<M>) -> Self {
        Self(Arc::new(move |id| {
            let mailbox = mailbox.clone();
            Box::pin(async move {
                let rows = mailbox.rows(IdRange { first: id, last: id }, 1).await;
                rows.map(|rows| rows.into_iter().next()).map_err(|error| error.to_string())
            })
        }))
    }

    async fn see(&self, id: MsgId) -> Seen {
        (self.0)(id).await
    }
}

/// `GET /api/v1/messages`: newest first; the filters are those of `msgx messages`, `next` is the
/// `before` of the list after it.
pub(super) async fn messages<V: Views>(
    State(server): State<Server<V>>,
    Query(filters): Query<Filters>,
) -> Answer {
    let app = server.app;
    let sought = filters.sought().map_err(|words| (StatusCode::BAD_REQUEST, words + "\n"))?;
    let page = detached(async move { filters.read(&sought, &*app.views).await });
    Ok(Json(page_json(&page.await.map_err(unavailable)?)))
}

/// `GET /api/v1/messages/{id}`: its passport.
pub(super) async fn message<V: Views + Actions>(
    State(server): State<Server<V>>,
    Path(id): Path<i64>,
) -> Answer {
    let app = server.app;
    let policy = app.policy.clone();
    let told = detached(async move {
        let seen = app.witness.see(MsgId(id)).await;
        let passport = Passport::read(&*app.views, MsgId(id), &app.policy, seen).await?;
        Ok(passport.map(|passport| passport.json(Shown::Masked, &policy)))
    });
    match told.await.map_err(unavailable)? {
        Some(told) => Ok(Json(told)),
        None => Err((
            StatusCode::NOT_FOUND,
            format!("message {id} is not known; /api/v1/messages has the newest\n"),
        )),
    }
}
