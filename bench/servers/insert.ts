/** Inserts rows one after the other for SECONDS, syncs each, and prints the median duration in milliseconds. */
import { Database } from 'bun:sqlite';

const db = new Database(process.env['DATABASE'] ?? '', { create: true });
db.run('PRAGMA journal_mode = WAL');
db.run('PRAGMA synchronous = FULL');
db.run('CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT)');
const insert = db.prepare('INSERT INTO plants VALUES (?, ?, ?)');
const durations: number[] = [];
const endsAt = performance.now() + 1000 * Number(process.env['SECONDS']);
for (let startedAt = performance.now(); startedAt < endsAt; ) {
  insert.run(durations.length, 'Monstera', 'tropical');
  const endedAt = performance.now();
  durations.push(endedAt - startedAt);
  startedAt = endedAt;
}
console.log(durations.toSorted((one, other) => one - other)[Math.floor(durations.length / 2)]);
