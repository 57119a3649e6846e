//! A plant: as a client sends it, and as the database has it.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use rusqlite::{Row, types::FromSqlResult};
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

use crate::failure::Failure;

const NAME_LENGTH_MAX: usize = 500;
const TAG_LENGTH_MAX: usize = 100;

/// What a client creates. Other members are ignored.
#[derive(Deserialize)]
pub struct NewPlant {
    pub id: i64,
    pub name: String,
    // Absent is allowed, null is not.
    #[serde(default, deserialize_with = "present")]
    pub tag: Option<String>,
}

impl NewPlant {
    pub fn parse(body: &[u8]) -> Result<Self, Failure> {
        let plant: Self = serde_json::from_slice(body).map_err(|_| Failure::INVALID_PLANT)?;
        let is_valid = is_at_most(&plant.name, NAME_LENGTH_MAX)
            && plant.tag.as_ref().is_none_or(|tag| is_at_most(tag, TAG_LENGTH_MAX));
        if is_valid { Ok(plant) } else { Err(Failure::INVALID_PLANT) }
    }

    pub fn has_content_of(&self, record: &Record) -> bool {
        self.name == record.name && self.tag.as_deref() == record.tag
    }
}

/// What clients get, borrowed from a row or a `NewPlant`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record<'a> {
    pub id: i64,
    pub name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<&'a str>,
    pub created_at: &'a str,
    pub updated_at: &'a str,
}

impl<'a> Record<'a> {
    /// The columns are those of `SELECT id, name, tag, created_at, updated_at`.
    pub fn from_row(row: &'a Row) -> rusqlite::Result<Self> {
        let text = |column| -> FromSqlResult<&'a str> { row.get_ref_unwrap(column).as_str() };
        Ok(Self {
            id: row.get(0)?,
            name: text(1)?,
            tag: row.get_ref_unwrap(2).as_str_or_null()?,
            created_at: text(3)?,
            updated_at: text(4)?,
        })
    }

    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a record is JSON")
    }
}

/// The entity tag of a record's JSON: a strong one.
pub fn entity_tag(json: &[u8]) -> String {
    format!("\"{}\"", URL_SAFE_NO_PAD.encode(&Sha256::digest(json)[..16]))
}

fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

fn is_at_most(text: &str, length_max: usize) -> bool {
    text.len() <= length_max || text.chars().count() <= length_max
}
