//! Requests that are nearly right, by the thousand: nothing falls, and memory stays within bounds.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Client, viewer};
use futures_util::SinkExt;
use kreisel_record::peak_bytes;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

/// A generator of numbers with a fixed seed. (Marsaglia's xorshift.)
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

/// Requests that are nearly right: parts of right ones, cut, doubled, and with bytes and numbers changed.
fn nearly(numbers: &mut Numbers) -> String {
    let seeds = [
        r#"{"ask":"act","action":{"do":"grab","id":1,"element":0,"at":[0,0,0]}}"#,
        r#"{"ask":"act","action":{"do":"pull","id":1,"at":[1e308,-1e308,0],"turn":[9e9,0,0]}}"#,
        r#"{"ask":"act","action":{"do":"cut","eye":[0,-5,0],"from":[-1,0,1],"to":[1,0,-1]}}"#,
        r#"{"ask":"act","action":{"do":"drop","shape":"ball","material":"gel","size":1e9,"at":[0,0,1e300]}}"#,
        r#"{"ask":"act","action":{"do":"make-rigid","what":{"elements":[0,1,4294967295]}}}"#,
        r#"{"ask":"act","action":{"do":"make-soft","what":{"body":99}}}"#,
        r#"{"ask":"act","action":{"do":"fix","what":{"elements":[0]}}}"#,
        r#"{"ask":"act","action":{"do":"free","what":{"body":0}}}"#,
        r#"{"ask":"act","action":{"do":"delete","body":0}}"#,
        r#"{"ask":"act","action":{"do":"keep-shape","body":0}}"#,
        r#"{"ask":"act","action":{"do":"set","path":"material.0.young","value":-1}}"#,
        r#"{"ask":"act","action":{"do":"set","path":"obstacle.7.friction","value":1e400}}"#,
        r#"{"ask":"act","action":{"do":"set","path":"law","value":"constraint"}}"#,
        r#"{"ask":"act","action":{"do":"set","path":"constraint.tolerance","value":1e-300}}"#,
        r#"{"ask":"act","action":{"do":"set","path":"integrator","value":"backward-euler"}}"#,
        r#"{"ask":"act","action":{"do":"set","path":"step","value":1e-9}}"#,
        r#"{"ask":"act","action":{"do":"drop","shape":"ring","material":"steel","size":0.2,"at":[0,0,1]}}"#,
        r#"{"ask":"seek","frame":18446744073709551615}"#,
        r#"{"ask":"speed","factor":-1}"#,
        r#"{"ask":"restore","number":99}"#,
        r#"{"ask":"want","bits":511}"#,
        r#"{"ask":"snapshot"}"#,
        r#"{"ask":"back"}"#,
        r#"{"ask":"step"}"#,
    ];
    let mut text = seeds[numbers.next(seeds.len())].as_bytes().to_vec();
    for _ in 0..numbers.next(4) {
        let at = numbers.next(text.len());
        match numbers.next(4) {
            0 => text.truncate(at),
            1 => text[at] = b"{}[]\",:0123456789-eE.x"[numbers.next(22)],
            2 => text.insert(at, b'9'),
            _ => text.extend_from_within(at..),
        }
        if text.is_empty() {
            text.push(b'{');
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_messages_never_bring_the_viewer_down_nor_fill_its_memory() {
    let server = viewer("dumbbell").await;
    let mut numbers = Numbers(0x5EED_CAFE);
    for _ in 0..20 {
        let mut client = Client::connect(&server).await;
        for _ in 0..40 {
            let text = nearly(&mut numbers);
            client.say(&text).await;
        }
        // What is huge or not even text is refused; the line may be cut.
        let _ = client.socket.send(Message::text("x".repeat(70_000))).await;
        let _ = client.socket.send(Message::binary(vec![0; 100])).await;
        let reading = async { while client.read().await {} };
        let _ = tokio::time::timeout(Duration::from_millis(200), reading).await;
    }
    let mut client = Client::connect(&server).await;
    client.say(r#"{"ask":"take"}"#).await;
    // The last of them may not have gone yet: it holds the controls until then.
    client.until(|c| c.me != 0 && c.people["holder"] == c.me).await;
    client.say(r#"{"ask":"open","scene":"dumbbell"}"#).await;
    client.say(r#"{"ask":"run"}"#).await;
    client.until(|c| c.status["running"] == true && c.frame() > 3).await;
    assert!(peak_bytes() < 700 << 20, "{} MB", peak_bytes() >> 20);
    server.end().await;
}
