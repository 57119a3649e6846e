import { getTableColumns } from 'drizzle-orm';
import { plants } from '../../db/sqlite.ts';
import { openExclusiveSqlite } from '../../src/engines/sqlite-copy.ts';
import { toPlantRow } from '../../src/plants/row.ts';
import { openExclusivePostgres } from '../../src/postgres/copy.ts';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import type { ExclusiveStore, Rows } from '../../src/storage/dump.ts';

/** Opens the database of this path or URL as `copy` does, and creates it if it is missing. */
export const openExclusive = (database: string): Promise<ExclusiveStore> =>
  database.startsWith('postgres:')
    ? openExclusivePostgres(addressesOf(parsePostgresUrl(database)), { create: true })
    : openExclusiveSqlite(database, { create: true });

const columns = (Object.keys(getTableColumns(plants)) as (keyof typeof plants.$inferSelect)[]).sort();

/** So many batches of a thousand plants. */
export async function* manyRows(batches: number): AsyncGenerator<Rows> {
  for (let batch = 0; batch < batches; batch += 1) {
    const rows = Array.from({ length: 1000 }, (_, row) => {
      const plant = toPlantRow({ id: BigInt(batch * 1000 + row), name: 'n', createdAt: '', updatedAt: '' });
      return columns.map((name) => plant[name]);
    });
    yield { table: 'plants', columns, rows };
  }
}
