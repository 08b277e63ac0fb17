//! One flight, its history, and the kinds of messages, as JSON. Personal data is left out.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use domain::Flid;
use engine::ports::{StoreError, Views};
use serde_json::Value;

use super::{App, Server};
use crate::dossier::Dossier;

type Answer = Result<Json<Value>, (StatusCode, String)>;

/// `GET /api/v1/flights/{flid}`: the current life, lives in history, and linked flights.
pub(super) async fn flight<V: Views>(State(server): State<Server<V>>, Path(flid): Path<i64>) -> Answer {
    let dictionary = server.app.dictionary;
    dossier(server.app, flid).await.map(|found| Json(found.json(dictionary)))
}

/// `GET /api/v1/flights/{flid}/history`: what each message changed, oldest first.
pub(super) async fn history<V: Views>(State(server): State<Server<V>>, Path(flid): Path<i64>) -> Answer {
    let dictionary = server.app.dictionary;
    dossier(server.app, flid).await.map(|found| Json(found.steps_json(dictionary).into()))
}

/// `GET /api/v1/types`: which kinds of messages arrived, and how they ended.
pub(super) async fn types<V: Views>(State(server): State<Server<V>>) -> Answer {
    let app = server.app;
    let kinds = detached(async move { app.views.message_kinds().await }).await?;
    Ok(Json(kinds.iter().map(crate::cli::types::as_json).collect()))
}

async fn dossier<V: Views>(app: Arc<App<V>>, flid: i64) -> Result<Dossier, (StatusCode, String)> {
    let found = detached(async move { Dossier::read(&*app.views, Flid(flid)).await }).await?;
    found.ok_or_else(|| (StatusCode::NOT_FOUND, format!("flight {flid} is unknown, current or in history\n")))
}

/// Queries in a task of its own: a browser that goes away must not cancel them half-way.
async fn detached<T: Send + 'static>(
    queries: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, (StatusCode, String)> {
    match tokio::spawn(queries).await {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err((StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n"))),
        Err(error) => Err((StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n"))),
    }
}
