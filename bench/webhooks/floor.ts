/**
 * The floor on Bun, by `fetch` and `bun:sqlite`. With a DATABASE, one synced transaction records the outcomes of each iteration, a row for
 * each delivery, and the positions.
 */
import { Database } from 'bun:sqlite';
import {
  createMessage,
  type Ended,
  insertDelivery,
  movePosition,
  positionsOf,
  startFloor,
  tables,
} from './floor-run.ts';

const { DATABASE } = process.env;

const openDatabase = (path: string) => {
  const db = new Database(path, { create: true, strict: true });
  for (const statement of tables) db.run(statement);
  const insert = db.prepare(insertDelivery);
  const move = db.prepare(movePosition);
  return db.transaction((ended: readonly Ended[]) => {
    for (const { webhook, sequence, attempt } of ended) insert.run(webhook, sequence, JSON.stringify([attempt]));
    for (const { webhook, sequence } of positionsOf(ended)) move.run(webhook, sequence);
  });
};

startFloor(
  async (url, sequence) => {
    const at = new Date();
    const startedAtMs = performance.now();
    const response = await fetch(url, { method: 'POST', ...createMessage(sequence, at) });
    await response.arrayBuffer();
    return {
      at: at.toISOString(),
      durationMs: Math.round(performance.now() - startedAtMs),
      status: response.status,
    };
  },
  DATABASE === undefined ? () => {} : openDatabase(DATABASE),
);
