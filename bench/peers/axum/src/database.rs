//! Connections to the SQLite file.

use std::{sync::Mutex, time::Duration};

use rusqlite::{Connection, OpenFlags, params};

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

/// The connection that reads. The thread that serves uses it directly: a look-up takes less time than to pass it to another thread.
pub struct Reader(Mutex<Connection>);

impl Reader {
    pub fn open(path: &str) -> rusqlite::Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        Ok(Self(Mutex::new(connection)))
    }

    /// Runs the queries of one request in one transaction.
    pub fn read<T, E: From<rusqlite::Error>>(&self, run: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E> {
        let connection = self.0.lock().expect("a panic ends the process");
        connection.prepare_cached("BEGIN")?.execute([])?;
        let outcome = run(&connection);
        connection.prepare_cached("COMMIT")?.execute([])?;
        outcome
    }
}
