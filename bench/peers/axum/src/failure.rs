//! Every way in which a request can fail.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

#[derive(Clone, Debug)]
pub struct Failure {
    code: u32,
    message: &'static str,
    challenge: Option<&'static str>,
}

impl Failure {
    pub const NOT_AUTHENTICATED: Self = Self {
        challenge: Some(r#"Bearer realm="plant-store""#),
        ..Self::new(40100, "This needs a valid bearer token.")
    };
    pub const FORBIDDEN: Self = Self::new(40300, "The token lacks the scope that this needs.");
    pub const INVALID_LIMIT: Self = Self::new(40002, "limit must be an integer from 1 to 1000.");
    pub const INVALID_ID: Self = Self::new(40003, "The id in the path must be an integer.");
    pub const INVALID_CURSOR: Self = Self::new(40004, "after must be a cursor of this list.");
    pub const INVALID_PLANT: Self = Self::new(40001, "The body must be a plant: an id, a name and perhaps a tag.");
    pub const INCOMPLETE_BODY: Self = Self::new(40000, "The body is incomplete.");
    pub const NOT_FOUND: Self = Self::new(40400, "There is no such plant or path.");
    pub const CONFLICT: Self = Self::new(40900, "The id is taken by a different plant.");
    pub const TOO_LARGE: Self = Self::new(41300, "The body is larger than 64 KiB.");
    pub const UNSUPPORTED_TYPE: Self = Self::new(41500, "The body must be application/json.");
    pub const UNAVAILABLE: Self = Self::new(50300, "The database is not available.");

    const fn new(code: u32, message: &'static str) -> Self {
        Self { code, message, challenge: None }
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        eprintln!("{error}");
        Self::UNAVAILABLE
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = serde_json::json!({ "error": self.code, "message": self.message }).to_string();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = StatusCode::from_u16((self.code / 100) as u16).expect("a code begins with its status");
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(challenge) = self.challenge {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        response
    }
}
