//! Which address answers what.

use crate::page;
use crate::server::Shared;
use crate::server::gallery::{self, Picture};
use crate::server::guard::Verdict;
use crate::server::socket::{self, LARGEST_MESSAGE};
use crate::session::Command;
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// What the page may load: itself and nothing else.
const POLICY: &str = "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
img-src 'self' data: blob:; connect-src 'self' blob:; frame-ancestors 'none'";

/// All routes behind the guard.
pub fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(|| async { file("index.html") }))
        .route("/assets/{name}", get(|Path(name): Path<String>| async move { file(&format!("assets/{name}")) }))
        .route("/socket", get(socket))
        .route("/api/gallery", get(list))
        .route("/api/picture/{name}", get(picture))
        .route("/api/session.kreisel", get(recording))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is nothing here\n") })
        .layer(from_fn_with_state(shared.clone(), check))
        .with_state(shared)
}

async fn check(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let verdict = shared.guard.judge(request.headers(), request.uri().query());
    let refusal = match verdict {
        Verdict::Welcome | Verdict::WelcomeWithToken => None,
        Verdict::WrongHost => Some("this server is not called so\n"),
        Verdict::WrongOrigin => Some("other web pages may not use this server\n"),
        Verdict::NoToken => Some("open the link that the terminal shows: it carries the token\n"),
    };
    if let Some(words) = refusal {
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    let cookie = shared.guard.cookie().filter(|_| verdict == Verdict::WelcomeWithToken);
    if let Some(cookie) = cookie.and_then(|c| HeaderValue::from_str(&c).ok()) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    response
}

fn file(path: &str) -> Response {
    match page::find(path) {
        Some((kind, bytes)) => {
            ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], bytes).into_response()
        }
        None if path == "index.html" => (StatusCode::SERVICE_UNAVAILABLE, page::MISSING).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

async fn socket(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE)
        .on_upgrade(move |socket| socket::serve(socket, shared))
}

async fn list() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], gallery::list()).into_response()
}

async fn picture(State(shared): State<Arc<Shared>>, Path(name): Path<String>) -> Response {
    let is_busy = || shared.snapshots.borrow().status.mode == "live";
    match shared.gallery.picture(&name, is_busy).await {
        Picture::Drawn(bytes) => {
            let kind = [(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "max-age=3600")];
            (kind, Body::from(bytes.to_vec())).into_response()
        }
        Picture::Later => StatusCode::NO_CONTENT.into_response(),
        Picture::Unknown => (StatusCode::NOT_FOUND, "there is no such picture\n").into_response(),
    }
}

async fn recording(State(shared): State<Arc<Shared>>) -> Response {
    let (answer, saved) = tokio::sync::oneshot::channel();
    let asked = shared.commands.try_send(Command::Save(answer));
    let saved = match asked {
        Ok(()) => saved.await.unwrap_or_else(|_| Err("the session has ended".into())),
        Err(_) => Err("the simulation is busy; try again".into()),
    };
    match saved {
        Ok(bytes) => {
            let attachment = "attachment; filename=\"session.kreisel\"";
            let head = [(header::CONTENT_TYPE, "application/octet-stream"), (header::CONTENT_DISPOSITION, attachment)];
            (head, bytes).into_response()
        }
        Err(reason) => (StatusCode::CONFLICT, format!("{reason}\n")).into_response(),
    }
}
