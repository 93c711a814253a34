//! The viewer as its watchers see it: controls, the way back, many watchers, and those who mean no good.
#![allow(clippy::unwrap_used)]

mod common;
use common::{Client, viewer};
use futures_util::SinkExt;
use kreisel_view::{Options, start};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;

#[tokio::test(flavor = "multi_thread")]
async fn a_step_back_returns_to_the_same_bits_and_so_does_replaying_what_was_done() {
    let server = viewer("dumbbell").await;
    let mut client = Client::connect(&server).await;
    client.until(|c| c.frame() > 12).await;
    let (frame, hash) = client.pause().await;
    client.say(r#"{"ask":"act","action":{"do":"grab","id":1,"element":0,"at":[0,0,0]}}"#).await;
    client.say(r#"{"ask":"act","action":{"do":"pull","id":1,"at":[0.1,0.2,0.3]}}"#).await;
    client.say(r#"{"ask":"run"}"#).await;
    client.until(|c| c.frame() > frame + 20).await;
    client.say(r#"{"ask":"act","action":{"do":"release","id":1}}"#).await;
    client.say(r#"{"ask":"act","action":{"do":"set","path":"gravity","value":[0,0,-3]}}"#).await;
    client.until(|c| c.frame() > frame + 30).await;
    let (late, changed) = client.pause().await;
    assert_eq!(client.status["entries"], 4);
    assert_ne!(client.seek(frame).await, changed);
    assert_eq!(client.seek(frame - 1).await.len(), hash.len());
    assert_eq!(client.seek(late).await, changed, "the hand and the gravity happen again");
    server.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_to_the_energy_when_a_person_intervenes_is_booked() {
    let server = viewer("falling-block").await;
    let mut client = Client::connect(&server).await;
    client.until(|c| c.frame() > 5).await;
    client.say(r#"{"ask":"act","action":{"do":"set","path":"gravity","value":[0,0,-2]}}"#).await;
    client.say(r#"{"ask":"act","action":{"do":"set","path":"material.0.young","value":150000}}"#).await;
    client.until(|c| c.frame() > 20).await;
    client
        .say(r#"{"ask":"act","action":{"do":"drop","shape":"ball","material":"rubber","size":0.2,"at":[0,0,1.5]}}"#)
        .await;
    client.until(|c| c.frame() > 30).await;
    client.pause().await;
    assert!(client.refused.is_empty(), "{:?}", client.refused);
    assert!(client.status["residual"].as_f64().unwrap() < 0.02, "{}", client.status["residual"]);
    server.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_watchers_one_of_them_stalled_do_not_slow_the_simulation() {
    let server = viewer("dumbbell").await;
    let mut first = Client::connect(&server).await;
    first.say(r#"{"ask":"speed","factor":1}"#).await;
    let mut others = Vec::new();
    for _ in 0..19 {
        others.push(Client::connect(&server).await);
    }
    let stalled = others.pop().unwrap();
    let readers: Vec<_> =
        others.into_iter().map(|mut c| tokio::spawn(async move { while c.read().await {} })).collect();
    first.until(|c| c.people["watchers"] == 20).await;
    first.until(|c| c.frame() > 5).await;
    let (begin, from) = (Instant::now(), first.frame());
    first.until(|c| c.frame() > from + 120).await;
    let rate = (first.frame() - from) as f64 / begin.elapsed().as_secs_f64();
    assert!(rate > 40.0, "{rate} frames a second instead of 60");
    drop(stalled);
    server.end().await;
    for reader in readers {
        let _ = tokio::time::timeout(Duration::from_secs(5), reader).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_holder_of_the_controls_drives_and_hands_them_over() {
    let server = viewer("dumbbell").await;
    let (mut a, mut b) = (Client::connect(&server).await, Client::connect(&server).await);
    a.until(|c| c.people["watchers"] == 2).await;
    b.until(|c| c.people["watchers"] == 2 && c.me > 0).await;
    b.say(r#"{"ask":"pause"}"#).await;
    b.until(|c| !c.refused.is_empty()).await;
    b.say(r#"{"ask":"take"}"#).await;
    a.until(|c| c.people["asking"].is_u64()).await;
    a.say(r#"{"ask":"give"}"#).await;
    let me = b.me;
    b.until(|c| c.people["holder"] == me).await;
    b.pause().await;
    server.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_step_says_why_and_the_last_good_state_stays() {
    let server = viewer("beam-soft").await;
    let mut client = Client::connect(&server).await;
    client.until(|c| c.frame() > 3).await;
    client.say(r#"{"ask":"act","action":{"do":"set","path":"integrator","value":"forward-euler"}}"#).await;
    client.say(r#"{"ask":"act","action":{"do":"grab","id":1,"element":5,"at":[0,0,0]}}"#).await;
    client.say(r#"{"ask":"act","action":{"do":"pull","id":1,"at":[1e300,0,0]}}"#).await;
    client.until(|c| c.status["error"].is_string()).await;
    assert_eq!(client.status["running"], false);
    let frame = client.frame();
    assert!(client.seek(frame.saturating_sub(1)).await.len() == 16);
    server.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_get_no_answer() {
    let server = viewer("dumbbell").await;
    let address = server.address;
    let ask = |head: String| async move {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = vec![0; 64];
        let length = stream.read(&mut answer).await.unwrap();
        String::from_utf8_lossy(&answer[..length]).into_owned()
    };
    let own = server.address.to_string();
    let get = |host: &str, more: &str| format!("GET /api/gallery HTTP/1.1\r\nHost: {host}\r\n{more}\r\n");
    assert!(ask(get(&own, "")).await.contains("200"));
    assert!(ask(get("evil.example", "")).await.contains("403"));
    assert!(ask(get(&own, "Origin: http://evil.example\r\n")).await.contains("403"));
    let upgrade = "Origin: http://evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    assert!(ask(format!("GET /socket HTTP/1.1\r\nHost: {own}\r\n{upgrade}\r\n")).await.contains("403"));
    server.end().await;
    let beyond = start(Options { bind: Some("0.0.0.0".parse().unwrap()), ..Options::default() }).await;
    assert!(beyond.is_err(), "beyond loopback only with --lan");
}

#[tokio::test(flavor = "multi_thread")]
async fn on_the_local_network_the_line_is_encrypted_and_needs_the_token() {
    let options = Options { lan: true, bind: Some("127.0.0.1".parse().unwrap()), ..Options::default() };
    let server = start(options).await.unwrap();
    assert!(server.link.starts_with("https://127.0.0.1:") && server.link.contains("token="));
    assert!(server.code.as_ref().unwrap().lines().count() > 10, "a pattern to scan");
    let mut stream = tokio::net::TcpStream::connect(server.address).await.unwrap();
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;
    assert!(!String::from_utf8_lossy(&answer).contains("HTTP/1.1 200"), "nothing is told in the clear");
    server.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_floods_the_line_is_cut_off() {
    let server = viewer("dumbbell").await;
    let mut client = Client::connect(&server).await;
    for _ in 0..3000 {
        if client.socket.send(Message::text(r#"{"ask":"ping","number":1}"#)).await.is_err() {
            break;
        }
    }
    let ended = async { while client.read().await {} };
    assert!(tokio::time::timeout(Duration::from_secs(30), ended).await.is_ok(), "the line is cut");
    let mut polite = Client::connect(&server).await;
    polite.until(|c| c.frame() > 0).await;
    server.end().await;
}
