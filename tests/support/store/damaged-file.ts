import { readFileSync, writeFileSync } from 'node:fs';
import { openSqliteStore } from '../../../src/engines/sqlite.ts';

const pageBytes = 4096;

/** Creates a database with 3,000 plants. A thousand of them, with ids from 1,000 on, are named `rotten`, and share few pages with others. */
export const fillDatabase = async (path: string): Promise<void> => {
  const store = openSqliteStore(path);
  await Promise.all(
    Array.from({ length: 3000 }, (_, id) =>
      store.plants.create({ id: BigInt(id), name: `${id >= 1000 && id < 2000 ? 'rotten' : 'sound'} ${id}`, tag: 't' }),
    ),
  );
  await store.close();
};

/** Makes every page of the file that contains the text one of no type, also while the database is open. */
export const damagePagesWith = (path: string, text: string): void => {
  const bytes = readFileSync(path);
  for (let start = pageBytes; start < bytes.length; start += pageBytes)
    if (bytes.subarray(start, start + pageBytes).includes(text)) bytes[start] = 7;
  writeFileSync(path, bytes);
};

/** Changes the time of this plant in its row, so that it is missing in the index by time. */
export const unindex = (path: string, name: string): void => {
  const bytes = readFileSync(path);
  const place = bytes.indexOf(`${name}t2`);
  bytes.write('1', place + name.length + 1);
  writeFileSync(path, bytes);
};
