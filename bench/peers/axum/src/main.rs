//! The benchmark's peer in Rust: axum and rusqlite, with one thread that serves and reads, and another for commits.

mod access;
mod database;
mod failure;
mod log;
mod plant;
mod plants;
mod writer;

use std::{env, error::Error, sync::Arc};

use axum::{Router, middleware, routing::get, serve::ListenerExt};
use tokio::net::TcpListener;

use crate::{database::Reader, failure::Failure, log::Log, writer::Writer};

// The allocator that fast services in Rust usually choose.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What the handlers share.
#[derive(Clone)]
pub struct App {
    pub reader: Arc<Reader>,
    pub writer: Writer,
}

// One thread serves all connections: on a machine of two cores commits and the kernel use the other one.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let path = env::var("DATABASE")?;
    let log = Log::open(&env::var("LOG")?)?;
    let connection = database::create(&path, &env::var("TOKEN_DIGEST")?)?;
    let app = App { reader: Arc::new(Reader::open(&path)?), writer: Writer::start(connection) };

    let logged = |route: &'static str| middleware::from_fn_with_state((log.clone(), route), log::log_request);
    let router = Router::new()
        .route("/plants", get(plants::list).post(plants::create).layer(logged("/plants")))
        .route("/plants/{id}", get(plants::read).layer(logged("/plants/:id")))
        .fallback_service(get(async || Failure::NOT_FOUND).layer(logged("")))
        .with_state(app);

    let address = ("127.0.0.1", env::var("PORT")?.parse()?);
    let listener = TcpListener::bind(address).await?.tap_io(|stream| {
        // Without it a response can wait for the client's acknowledgement. A connection that is already closed fails later.
        let _ = stream.set_nodelay(true);
    });
    println!("listening on http://127.0.0.1:{}", address.1);
    axum::serve(listener, router).await?;
    Ok(())
}
