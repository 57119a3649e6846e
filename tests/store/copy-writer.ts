/** Writes rows to the database of the argument in a transaction that never ends, and prints a line. */
import { manyRows, openExclusive } from './copy-rows.ts';

const written = async function* () {
  yield* manyRows(3);
  console.log('written');
  await new Promise(() => setInterval(() => {}, 1000));
};

await using target = await openExclusive(process.argv[2] ?? '');
await target.restore(written());
