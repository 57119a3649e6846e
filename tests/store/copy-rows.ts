import { parsePostgresUrl } from '../../src/base/postgres-url.ts';
import { addressesOf } from '../../src/store/postgres/address.ts';
import { openWholePostgres } from '../../src/store/postgres/copy.ts';
import { openWholeSqlite } from '../../src/store/sqlite/copy.ts';
import type { Rows, WholeStore } from '../../src/store/whole-store.ts';

/** Opens the database of this path or URL as `copy` does, and creates it if it is missing. */
export const openWhole = (database: string): Promise<WholeStore> =>
  database.startsWith('postgres:')
    ? openWholePostgres(addressesOf(parsePostgresUrl(database)), { create: true })
    : openWholeSqlite(database, { create: true });

/** So many batches of a thousand plants. */
export async function* manyRows(batches: number): AsyncGenerator<Rows> {
  for (let batch = 0; batch < batches; batch += 1) {
    const rows = Array.from({ length: 1000 }, (_, row) => ['', BigInt(batch * 1000 + row), 'n', null, '']);
    yield { table: 'plants', columns: ['createdAt', 'id', 'name', 'tag', 'updatedAt'], rows };
  }
}
