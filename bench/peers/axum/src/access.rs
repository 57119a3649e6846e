//! Authorization: bearer tokens and their scopes.

use axum::http::{HeaderMap, header};
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use crate::{failure::Failure, log::now};

/// The digest of the request's token, for the look-up.
pub fn token_digest(headers: &HeaderMap) -> Result<String, Failure> {
    let token = bearer_token(headers).ok_or(Failure::NOT_AUTHENTICATED)?;
    Ok(hex(&Sha256::digest(token)))
}

/// Looks the token up, and fails unless it is valid and has the scope.
pub fn authorize(db: &Connection, digest: &str, scope: &str) -> Result<(), Failure> {
    let mut query = db.prepare_cached("SELECT scopes, expires_at, revoked_at FROM tokens WHERE digest = ?")?;
    let (is_valid, is_allowed) = query
        .query_row([digest], |row| {
            let expires_at: Option<String> = row.get(1)?;
            let revoked_at: Option<String> = row.get(2)?;
            let is_valid = revoked_at.is_none() && expires_at.is_none_or(|time| time > now());
            Ok((is_valid, row.get_ref(0)?.as_str()?.split(' ').any(|granted| granted == scope)))
        })
        .optional()?
        .ok_or(Failure::NOT_AUTHENTICATED)?;
    match (is_valid, is_allowed) {
        (false, _) => Err(Failure::NOT_AUTHENTICATED),
        (true, false) => Err(Failure::FORBIDDEN),
        (true, true) => Ok(()),
    }
}

fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
