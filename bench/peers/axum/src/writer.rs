//! The connection that writes. All creates that wait share one transaction, so they share its sync: group commit.

use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use tokio::{
    sync::{mpsc, oneshot},
    task::spawn_blocking,
};

use crate::{
    failure::Failure,
    log::now,
    plant::{NewPlant, Record, entity_tag},
};

const BATCH_LENGTH_MAX: usize = 256;
const QUEUE_LENGTH_MAX: usize = 1024;

/// A plant that is in the database.
pub struct Created {
    pub plant: NewPlant,
    pub entity_tag: String,
}

#[derive(Clone)]
pub struct Writer(mpsc::Sender<Create>);

impl Writer {
    pub fn start(connection: Connection) -> Self {
        let (sender, creates) = mpsc::channel(QUEUE_LENGTH_MAX);
        tokio::spawn(run(connection, creates));
        Self(sender)
    }

    /// Returns when the plant and its event are synced.
    pub async fn create(&self, plant: NewPlant) -> Result<Created, Failure> {
        let (answer, outcome) = oneshot::channel();
        self.0.send(Create { plant, answer }).await.map_err(|_| Failure::UNAVAILABLE)?;
        outcome.await.map_err(|_| Failure::UNAVAILABLE)?
    }
}

struct Create {
    plant: NewPlant,
    answer: oneshot::Sender<Result<Created, Failure>>,
}

// A commit has a thread of its own while it syncs. The loop that serves collects the creates and answers them itself, so that it is
// woken once for a batch and not once for a create.
async fn run(mut connection: Connection, mut creates: mpsc::Receiver<Create>) {
    let mut batch = Vec::new();
    while creates.recv_many(&mut batch, BATCH_LENGTH_MAX).await > 0 {
        let (plants, answers): (Vec<_>, Vec<_>) = batch.drain(..).map(|create| (create.plant, create.answer)).unzip();
        let committed;
        (connection, committed) =
            spawn_blocking(|| commit(connection, plants)).await.expect("a panic ends the process");
        match committed {
            // A client that has gone needs no answer.
            Ok(outcomes) => answers.into_iter().zip(outcomes).for_each(|(answer, outcome)| _ = answer.send(outcome)),
            Err(error) => {
                let failure = Failure::from(error);
                answers.into_iter().for_each(|answer| _ = answer.send(Err(failure.clone())));
            }
        }
    }
}

type Outcomes = Vec<Result<Created, Failure>>;

/// Returns the connection for the next batch.
fn commit(mut connection: Connection, plants: Vec<NewPlant>) -> (Connection, rusqlite::Result<Outcomes>) {
    let outcomes = create_all(&mut connection, plants);
    (connection, outcomes)
}

fn create_all(connection: &mut Connection, plants: Vec<NewPlant>) -> rusqlite::Result<Outcomes> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let time = now();
    let outcomes = plants.into_iter().map(|plant| create(&transaction, plant, &time)).collect::<Result<_, _>>()?;
    transaction.commit()?;
    Ok(outcomes)
}

/// The outer result is that of the whole transaction, the inner one that of this plant.
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

/// The id is taken: the same plant is created already, another one is a conflict.
fn repeat(transaction: &Transaction, plant: NewPlant) -> rusqlite::Result<Result<Created, Failure>> {
    let mut query =
        transaction.prepare_cached("SELECT id, name, tag, created_at, updated_at FROM plants WHERE id = ?")?;
    let entity_tag = query.query_row([plant.id], |row| {
        let record = Record::from_row(row)?;
        Ok(plant.has_content_of(&record).then(|| entity_tag(&record.to_json())))
    })?;
    Ok(entity_tag.map(|entity_tag| Created { plant, entity_tag }).ok_or(Failure::CONFLICT))
}
