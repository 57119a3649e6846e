//! Follows the live log with the client that the argument names. Prints the id and the data of each event that the client reports,
//! as a JSON array on one line.

use std::env;

use anyhow::{Result, bail};
use eventsource_client::{Client, ClientBuilder, SSE};
use futures_util::{StreamExt, TryStreamExt};
use launchdarkly_sdk_transport::HyperTransport;
use reqwest_eventsource::{Event, RequestBuilderExt};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let url = env::var("EVENTS_URL")?;
    let authorization = format!("Bearer {}", env::var("EVENTS_TOKEN")?);
    match env::args().nth(1).as_deref() {
        Some("eventsource-client") => follow_with_eventsource_client(&url, &authorization).await,
        Some("reqwest-eventsource") => follow_with_reqwest_eventsource(&url, &authorization).await,
        _ => bail!("The argument must be the name of a client."),
    }
}

async fn follow_with_eventsource_client(url: &str, authorization: &str) -> Result<()> {
    let client = ClientBuilder::for_url(url)?
        .header("Authorization", authorization)?
        .build_with_transport(HyperTransport::builder().build_http()?);
    let mut stream = client.stream();
    loop {
        // The next call reconnects after an error.
        match stream.try_next().await {
            Ok(Some(SSE::Event(event))) => print(event.id.as_deref(), &event.data),
            Ok(Some(_)) | Err(_) => {}
            Ok(None) => bail!("The client has ended."),
        }
    }
}

async fn follow_with_reqwest_eventsource(url: &str, authorization: &str) -> Result<()> {
    let request = reqwest::Client::new()
        .get(url)
        .header("Authorization", authorization);
    let mut source = request.eventsource()?;
    // The next call reconnects after an error.
    while let Some(event) = source.next().await {
        if let Ok(Event::Message(message)) = event {
            print(Some(&message.id), &message.data);
        }
    }
    bail!("The client has ended.")
}

fn print(id: Option<&str>, data: &str) {
    println!("{}", serde_json::json!([id, data]));
}
