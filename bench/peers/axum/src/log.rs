//! One line of JSON for each request, and the request id that it shares with the response.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Write},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue},
    middleware::Next,
    response::Response,
};
use chrono::{SecondsFormat, Utc};
use serde::Serialize;
use uuid::Uuid;

const BUFFER_BYTES: usize = 64 * 1024;
const FLUSH_INTERVAL: Duration = Duration::from_millis(100);
const REQUEST_ID_LENGTH_MAX: usize = 64;

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The file of the log. Lines wait in memory until the buffer is full or the interval has passed.
#[derive(Clone)]
pub struct Log(Arc<Mutex<BufWriter<File>>>);

impl Log {
    pub fn open(path: &str) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let log = Self(Arc::new(Mutex::new(BufWriter::with_capacity(BUFFER_BYTES, file))));
        let flushed = log.clone();
        thread::spawn(move || {
            loop {
                thread::sleep(FLUSH_INTERVAL);
                flushed.0.lock().expect("a panic ends the process").flush().expect("the log can be written");
            }
        });
        Ok(log)
    }

    fn write(&self, line: &Line) {
        let mut file = self.0.lock().expect("a panic ends the process");
        serde_json::to_writer(&mut *file, line).expect("the log can be written");
        file.write_all(b"\n").expect("the log can be written");
    }
}

/// Logs a request once it has a response.
pub async fn log_request(State((log, route)): State<(Log, &'static str)>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let method = request.method().clone();
    let id = request_id(request.headers());
    let mut response = next.run(request).await;
    log.write(&Line {
        level: "info",
        time: &now(),
        request_id: id.to_str().expect("an id is ASCII"),
        method: method.as_str(),
        route,
        status: response.status().as_u16(),
        duration_ms: started.elapsed().as_micros() as f64 / 1000.0,
        msg: "request",
    });
    response.headers_mut().insert(REQUEST_ID.clone(), id);
    response
}

/// The current time: RFC 3339 in UTC, with milliseconds.
pub fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    level: &'a str,
    time: &'a str,
    request_id: &'a str,
    method: &'a str,
    route: &'a str,
    status: u16,
    duration_ms: f64,
    msg: &'a str,
}

fn request_id(headers: &HeaderMap) -> HeaderValue {
    match headers.get(&REQUEST_ID) {
        Some(id) if is_request_id(id.as_bytes()) => id.clone(),
        _ => HeaderValue::try_from(Uuid::new_v4().to_string()).expect("a UUID is ASCII"),
    }
}

fn is_request_id(id: &[u8]) -> bool {
    (1..=REQUEST_ID_LENGTH_MAX).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte))
}
