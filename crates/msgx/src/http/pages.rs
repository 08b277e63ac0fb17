//! The page and its files.

use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{Html, IntoResponse};
use engine::ports::Views;
use serde::Deserialize;

use super::Server;
use crate::console::{self, Language};

#[derive(Debug, Deserialize)]
pub(super) struct Wish {
    lang: Option<String>,
}

pub(super) async fn index<V: Views>(
    State(server): State<Server<V>>,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
) -> Html<String> {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    Html(console::page(Language::choose(wish.lang.as_deref(), accepted), &server.app.setting))
}

pub(super) async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], console::STYLE)
}

pub(super) async fn script() -> impl IntoResponse {
    javascript(console::SCRIPT)
}

pub(super) async fn facts_script() -> impl IntoResponse {
    javascript(console::FACTS_SCRIPT)
}

pub(super) async fn board_script() -> impl IntoResponse {
    javascript(console::BOARD_SCRIPT)
}

pub(super) async fn words_script() -> impl IntoResponse {
    javascript(console::WORDS_SCRIPT)
}

fn javascript(text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], text)
}

pub(super) async fn icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/svg+xml")], console::ICON)
}
