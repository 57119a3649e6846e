//! Creates and reads a plant whose id is beyond 2⁵³, uploads and downloads its picture, and verifies
//! the webhook about it.

use std::{env, time::Duration};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Value, json};
use standardwebhooks::Webhook;
use tiny_http::{Response, Server};
use ureq::{
    Agent,
    http::{HeaderMap, HeaderName, Request},
};

/// 2⁵³ + 1. serde_json keeps it as an i64; an f64 would be rounded.
const ID: i64 = 9007199254740993;
const PICTURE: &[u8] = include_bytes!("../../leaf.png");
const TIMEOUT: Duration = Duration::from_secs(10);

fn main() -> Result<()> {
    let receiver = Server::http("127.0.0.1:0").map_err(|error| anyhow!(error))?;
    let plant = format!("/plants/{ID}");
    // An interrupted run may have left the plant. Creating it again would cause no event.
    let _ = send("DELETE", &plant, None);
    let target = format!("http://{}/", receiver.server_addr());
    let content = json!({"url": target, "events": ["plant.created"]});
    let webhook = send("POST", "/webhooks", Some(content))?;
    let result = check(&receiver, webhook["secret"].as_str().context("no secret")?);
    let _ = send("DELETE", &plant, None);
    let id = webhook["id"].as_str().context("no id")?;
    send("DELETE", &format!("/webhooks/{id}"), None)?;
    result
}

fn check(receiver: &Server, secret: &str) -> Result<()> {
    send("POST", "/plants", Some(json!({"id": ID, "name": "Fern"})))?;
    let plant = send("GET", &format!("/plants/{ID}"), None)?;
    ensure!(plant["id"] == ID, "the id was rounded to {}", plant["id"]);
    println!("Plant {ID} was created and read.");

    let path = format!("/plants/{ID}/picture");
    exchange("PUT", &path, "image/png", PICTURE)?;
    let picture = exchange("GET", &path, "image/png", &[])?;
    ensure!(picture == PICTURE, "the picture was changed on its way");
    println!("Its picture was uploaded and downloaded.");

    let request = receiver.recv_timeout(TIMEOUT)?;
    let mut request = request.context("no webhook arrived within 10 s")?;
    let mut body = String::new();
    request.as_reader().read_to_string(&mut body)?;
    let mut headers = HeaderMap::new();
    for header in request.headers() {
        let name: HeaderName = header.field.as_str().as_str().parse()?;
        headers.insert(name, header.value.as_str().parse()?);
    }
    request.respond(Response::empty(204))?;

    let webhook = Webhook::new(secret)?;
    webhook.verify(body.as_bytes(), &headers)?;
    let payload: Value = serde_json::from_str(&body)?;
    ensure!(payload["id"] == ID, "the webhook is about another plant");
    let id = headers["webhook-id"].to_str()?;
    println!("Webhook message {id} was verified.");
    let copy = body.replace("Fern", "Weed");
    let verdict = webhook.verify(copy.as_bytes(), &headers);
    ensure!(verdict.is_err(), "a copy with another name was accepted");
    println!("A copy with another name was refused.");
    Ok(())
}

/// Returns the JSON of the response, or null if it has none.
fn send(method: &str, path: &str, content: Option<Value>) -> Result<Value> {
    let body = content.map(|content| content.to_string());
    let body = body.unwrap_or_default().into_bytes();
    let text = exchange(method, path, "application/json", &body)?;
    Ok(if text.is_empty() {
        Value::Null
    } else {
        serde_json::from_slice(&text)?
    })
}

/// Returns the body of the response. A status of 400 or above is an error.
fn exchange(method: &str, path: &str, media_type: &str, body: &[u8]) -> Result<Vec<u8>> {
    let url = env::var("PLANT_STORE_URL").unwrap_or("http://127.0.0.1:3000".into());
    let token = env::var("PLANT_STORE_TOKEN")
        .unwrap_or("plant_ThisTokenIsPublicUseItForTests0JVZRz".into());
    let request = Request::builder()
        .method(method)
        .uri(url + path)
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", media_type);
    let config = Agent::config_builder().timeout_global(Some(TIMEOUT));
    let agent = config.build().new_agent();
    let mut response = match body {
        [] => agent.run(request.body(())?)?,
        _ => agent.run(request.body(body)?)?,
    };
    Ok(response.body_mut().read_to_vec()?)
}
