//! The thread that writes. All creates that wait share one transaction, so they share its sync: group commit.

use std::{sync::mpsc, thread};

use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use tokio::sync::oneshot;

use crate::{
    failure::Failure,
    log::now,
    plant::{NewPlant, Record, entity_tag},
};

const BATCH_LENGTH_MAX: usize = 256;
const QUEUE_LENGTH_MAX: usize = 1024;

/// A stored plant.
pub struct Created {
    pub plant: NewPlant,
    pub entity_tag: String,
}

#[derive(Clone)]
pub struct Writer(mpsc::SyncSender<Create>);

impl Writer {
    pub fn start(connection: Connection) -> Self {
        let (sender, creates) = mpsc::sync_channel(QUEUE_LENGTH_MAX);
        thread::spawn(move || run(connection, creates));
        Self(sender)
    }

    /// Returns when the plant and its event are synced.
    pub async fn create(&self, plant: NewPlant) -> Result<Created, Failure> {
        let (answer, outcome) = oneshot::channel();
        self.0.try_send(Create { plant, answer }).map_err(|_| Failure::UNAVAILABLE)?;
        outcome.await.map_err(|_| Failure::UNAVAILABLE)?
    }
}

struct Create {
    plant: NewPlant,
    answer: oneshot::Sender<Result<Created, Failure>>,
}

fn run(mut connection: Connection, creates: mpsc::Receiver<Create>) {
    while let Ok(first) = creates.recv() {
        let batch = std::iter::once(first).chain(creates.try_iter()).take(BATCH_LENGTH_MAX);
        let (plants, answers): (Vec<_>, Vec<_>) = batch.map(|create| (create.plant, create.answer)).unzip();
        match commit(&mut connection, plants) {
            Ok(outcomes) => answers.into_iter().zip(outcomes).for_each(|(answer, outcome)| {
                // It fails if the client has disconnected, and then no response is needed.
                let _ = answer.send(outcome);
            }),
            Err(error) => {
                let failure = Failure::from(error);
                answers.into_iter().for_each(|answer| {
                    let _ = answer.send(Err(failure.clone()));
                });
            }
        }
    }
}

fn commit(connection: &mut Connection, plants: Vec<NewPlant>) -> rusqlite::Result<Vec<Result<Created, Failure>>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let time = now();
    let outcomes = plants.into_iter().map(|plant| create(&transaction, plant, &time)).collect::<Result<_, _>>()?;
    transaction.commit()?;
    Ok(outcomes)
}

/// The outer result is that of the transaction, the inner one that of this plant.
fn create(transaction: &Transaction, plant: NewPlant, time: &str) -> rusqlite::Result<Result<Created, Failure>> {
    let mut insert_plant = transaction.prepare_cached(
        "INSERT INTO plants (id, name, tag, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT DO NOTHING",
    )?;
    if insert_plant.execute(params![plant.id, plant.name, plant.tag, time])? == 0 {
        return repeat(transaction, plant);
    }
    let mut insert_event = transaction.prepare_cached(
        "INSERT INTO events (type, timestamp, plant_id, name, tag) VALUES ('plant.created', ?, ?, ?, ?)",
    )?;
    insert_event.execute(params![time, plant.id, plant.name, plant.tag])?;
    let record =
        Record { id: plant.id, name: &plant.name, tag: plant.tag.as_deref(), created_at: time, updated_at: time };
    let entity_tag = entity_tag(&record.to_json());
    Ok(Ok(Created { plant, entity_tag }))
}

/// The id is taken: the same plant is a success, another one is a conflict.
fn repeat(transaction: &Transaction, plant: NewPlant) -> rusqlite::Result<Result<Created, Failure>> {
    let mut query =
        transaction.prepare_cached("SELECT id, name, tag, created_at, updated_at FROM plants WHERE id = ?")?;
    query
        .query_row([plant.id], |row| {
            let record = Record::from_row(row)?;
            if !plant.has_content_of(&record) {
                return Ok(Err(Failure::CONFLICT));
            }
            let entity_tag = entity_tag(&record.to_json());
            drop(record);
            Ok(Ok(entity_tag))
        })
        .map(|outcome| outcome.map(|entity_tag| Created { plant, entity_tag }))
}
