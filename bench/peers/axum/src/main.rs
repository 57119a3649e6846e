//! The benchmark's peer in Rust: axum and rusqlite, with a thread that writes. With RUNTIME=current_thread, one other thread
//! serves and reads. Otherwise tokio's default threads do.

mod access;
mod database;
mod failure;
mod log;
mod plant;
mod plants;
mod writer;

use std::{env, error::Error};

use axum::{Router, middleware, routing::get, serve::ListenerExt};
use tokio::{net::TcpListener, runtime::Builder};

use crate::{database::Reader, failure::Failure, log::Log, writer::Writer};

// The allocator that fast services in Rust usually choose.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const READERS_MAX: usize = 4;

/// What the handlers share.
#[derive(Clone)]
pub struct App {
    pub reader: Reader,
    pub writer: Writer,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::var("DATABASE")?;
    let connection = database::create(&path, &env::var("TOKEN_DIGEST")?)?;
    let is_single = env::var("RUNTIME").is_ok_and(|flavor| flavor == "current_thread");
    let reader = if is_single { Reader::inline(&path)? } else { Reader::pool(&path) };
    let app = App { reader, writer: Writer::start(connection) };
    let mut runtime = if is_single { Builder::new_current_thread() } else { Builder::new_multi_thread() };
    // More threads than these only wait for each other, and each has a connection with its cache.
    runtime.max_blocking_threads(READERS_MAX).enable_io().build()?.block_on(serve(app))
}

async fn serve(app: App) -> Result<(), Box<dyn Error>> {
    let log = Log::open(&env::var("LOG")?)?;
    let logged = |route: &'static str| middleware::from_fn_with_state((log.clone(), route), log::log_request);
    let router = Router::new()
        .route("/plants", get(plants::list).post(plants::create).layer(logged("/plants")))
        .route("/plants/{id}", get(plants::read).layer(logged("/plants/:id")))
        .fallback_service(get(async || Failure::NOT_FOUND).layer(logged("")))
        .with_state(app);

    let address = ("127.0.0.1", env::var("PORT")?.parse()?);
    let listener = TcpListener::bind(address).await?.tap_io(|stream| {
        // Without it, a response can wait for the acknowledgement of the client. A connection that is already closed fails later.
        let _ = stream.set_nodelay(true);
    });
    println!("listening on http://127.0.0.1:{}", address.1);
    axum::serve(listener, router).await?;
    Ok(())
}
