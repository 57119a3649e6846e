//! Connections to the SQLite file.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, params};
use tokio::task::spawn_blocking;

use crate::failure::Failure;

/// Opens a new file for writing, and creates its tables and the token.
pub fn create(path: &str, token_digest: &str) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // Each commit is synced before it returns.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch(include_str!("../../schema.sql"))?;
    connection.execute(
        "INSERT INTO tokens (digest, scopes) VALUES (?, ?)",
        params![token_digest, "plants:read plants:write"],
    )?;
    Ok(connection)
}

/// The connections that read.
#[derive(Clone)]
pub enum Reader {
    /// Connections for the threads of tokio's pool, which its guide recommends for blocking calls.
    Pool(Arc<Pool>),
    /// One connection, for the only serving thread: a look-up is faster than passing it to another thread.
    Inline(Arc<Mutex<Connection>>),
}

pub struct Pool {
    path: String,
    idle: Mutex<Vec<Connection>>,
}

impl Reader {
    pub fn pool(path: &str) -> Self {
        Self::Pool(Arc::new(Pool { path: path.to_owned(), idle: Mutex::new(Vec::new()) }))
    }

    pub fn inline(path: &str) -> rusqlite::Result<Self> {
        Ok(Self::Inline(Arc::new(Mutex::new(open_to_read(path)?))))
    }

    /// Runs the queries of one request in one transaction.
    pub async fn read<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        match self {
            Self::Pool(pool) => {
                let pool = pool.clone();
                spawn_blocking(move || pool.read(run)).await.expect("a panic ends the process")
            }
            Self::Inline(connection) => read(&connection.lock().expect("a panic ends the process"), run),
        }
    }
}

impl Pool {
    fn read<T>(&self, run: impl FnOnce(&Connection) -> Result<T, Failure>) -> Result<T, Failure> {
        let idle = self.idle.lock().expect("a panic ends the process").pop();
        let connection = idle.map_or_else(|| open_to_read(&self.path), Ok)?;
        let outcome = read(&connection, run);
        self.idle.lock().expect("a panic ends the process").push(connection);
        outcome
    }
}

fn open_to_read(path: &str) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    Ok(connection)
}

fn read<T>(connection: &Connection, run: impl FnOnce(&Connection) -> Result<T, Failure>) -> Result<T, Failure> {
    connection.prepare_cached("BEGIN")?.execute([])?;
    let outcome = run(connection);
    connection.prepare_cached("COMMIT")?.execute([])?;
    outcome
}
