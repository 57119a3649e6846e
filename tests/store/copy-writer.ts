/** Writes rows to the database of the argument in a transaction that never ends, and prints a line. */
import { manyRows, openWhole } from './copy-rows.ts';

const written = async function* () {
  yield* manyRows(3);
  console.log('written');
  await new Promise(() => setInterval(() => {}, 1000));
};

await using target = await openWhole(process.argv[2] ?? '');
await target.restore(written());
