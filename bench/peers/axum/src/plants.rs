//! The operations on plants.

use axum::{
    RequestExt,
    body::{Body, HttpBody},
    extract::{Path, Query, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};

use crate::{
    App,
    access::{authorize, token_digest},
    failure::Failure,
    plant::{NewPlant, Record, entity_tag},
};

const BODY_BYTES_MAX: usize = 64 * 1024;
const LIMIT_DEFAULT: u32 = 100;
const LIMIT_MAX: u32 = 1000;

/// `POST /plants`
pub async fn create(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let digest = token_digest(request.headers())?;
    app.reader.read(move |db| authorize(db, &digest, "plants:write")).await?;
    if !is_json(request.headers()) {
        return Err(Failure::UNSUPPORTED_TYPE);
    }
    let plant = NewPlant::parse(&read_body(request.into_body()).await?)?;
    let created = app.writer.create(plant).await?;
    let body = serde_json::to_vec(&Created { name: &created.plant.name, tag: created.plant.tag.as_deref() });
    let mut response = json_response(body.expect("a plant is JSON"));
    insert(&mut response, header::LOCATION, format!("/plants/{}", created.plant.id));
    insert(&mut response, header::ETAG, created.entity_tag);
    Ok(response)
}

/// `GET /plants/{id}`
pub async fn read(State(app): State<App>, mut request: Request) -> Result<Response, Failure> {
    let id = request.extract_parts::<Path<i64>>().await;
    let digest = token_digest(request.headers())?;
    let read = app.reader.read(move |db| {
        authorize(db, &digest, "plants:read")?;
        let Path(id) = id.map_err(|_| Failure::INVALID_ID)?;
        find(db, id)?.ok_or(Failure::NOT_FOUND)
    });
    let json = read.await?;
    let tag = entity_tag(&json);
    let mut response = if matches(request.headers(), &tag) { not_modified() } else { json_response(json) };
    insert(&mut response, header::ETAG, tag);
    Ok(response)
}

/// `GET /plants`
pub async fn list(State(app): State<App>, request: Request) -> Result<Response, Failure> {
    let digest = token_digest(request.headers())?;
    let query = Query::try_from_uri(request.uri());
    let read = app.reader.read(move |db| {
        authorize(db, &digest, "plants:read")?;
        let Query(Parameters { limit, after }) = query.map_err(|_| Failure::INVALID_LIMIT)?;
        if !(1..=LIMIT_MAX).contains(&limit) {
            return Err(Failure::INVALID_LIMIT);
        }
        let first = match after {
            Some(cursor) => from_cursor(&cursor).ok_or(Failure::INVALID_CURSOR)?,
            None => i64::MIN,
        };
        Ok((find_page(db, first, limit)?, limit))
    });
    let (page, limit) = read.await?;
    let mut response = json_response(page.json);
    if let Some(first) = page.next {
        let link = format!("</plants?limit={limit}&after={}>; rel=\"next\"", to_cursor(first));
        insert(&mut response, header::LINK, link);
    }
    Ok(response)
}

#[derive(Serialize)]
struct Created<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<&'a str>,
}

#[derive(Deserialize)]
struct Parameters {
    #[serde(default = "limit_default")]
    limit: u32,
    after: Option<String>,
}

/// The JSON of a page, and the id at which the next one begins if there is more.
struct Page {
    json: Vec<u8>,
    next: Option<i64>,
}

fn find(db: &Connection, id: i64) -> rusqlite::Result<Option<Vec<u8>>> {
    let mut query = db.prepare_cached("SELECT id, name, tag, created_at, updated_at FROM plants WHERE id = ?")?;
    query.query_row([id], |row| Ok(Record::from_row(row)?.to_json())).optional()
}

fn find_page(db: &Connection, first: i64, limit: u32) -> rusqlite::Result<Page> {
    let mut query = db
        .prepare_cached("SELECT id, name, tag, created_at, updated_at FROM plants WHERE id >= ? ORDER BY id LIMIT ?")?;
    let mut rows = query.query((first, limit + 1))?;
    let mut page = Page { json: vec![b'['], next: None };
    let mut count = 0;
    while let Some(row) = rows.next()? {
        let record = Record::from_row(row)?;
        if count == limit {
            page.next = Some(record.id);
            break;
        }
        if count > 0 {
            page.json.push(b',');
        }
        serde_json::to_writer(&mut page.json, &record).expect("a record is JSON");
        count += 1;
    }
    page.json.push(b']');
    Ok(page)
}

async fn read_body(body: Body) -> Result<axum::body::Bytes, Failure> {
    if body.size_hint().lower() > BODY_BYTES_MAX as u64 {
        return Err(Failure::TOO_LARGE);
    }
    let body = Limited::new(body, BODY_BYTES_MAX).collect().await;
    let body = body
        .map_err(|error| if error.is::<LengthLimitError>() { Failure::TOO_LARGE } else { Failure::INCOMPLETE_BODY })?;
    Ok(body.to_bytes())
}

fn is_json(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = media_type.split(';').next().unwrap_or("");
    essence.trim().eq_ignore_ascii_case("application/json")
}

fn matches(headers: &HeaderMap, tag: &str) -> bool {
    let condition = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or("");
    condition.split(',').map(str::trim).any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag)
}

fn limit_default() -> u32 {
    LIMIT_DEFAULT
}

fn json_response(json: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(json));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn not_modified() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response
}

fn insert(response: &mut Response, name: HeaderName, value: String) {
    response.headers_mut().insert(name, HeaderValue::try_from(value).expect("the value is ASCII"));
}

fn to_cursor(id: i64) -> String {
    URL_SAFE_NO_PAD.encode(id.to_string())
}

fn from_cursor(cursor: &str) -> Option<i64> {
    String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?.parse().ok()
}
