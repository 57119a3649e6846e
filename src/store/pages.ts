import { int64Max, int64Min } from '../base/int64.ts';
import type { PlantRecord } from '../domain/plant.ts';

/** All plants by ascending id, in pages. `readPage` reads at most `limit` plants, starting at an id. */
export async function* pagesOf(
  readPage: (from: bigint, limit: number) => PlantRecord[] | Promise<PlantRecord[]>,
): AsyncGenerator<readonly PlantRecord[]> {
  for (let from = int64Min; ; ) {
    const records = await readPage(from, pageRows);
    if (records.length > 0) yield records;
    const last = records.at(-1)?.id ?? int64Max;
    if (records.length < pageRows || last === int64Max) return;
    from = last + 1n;
  }
}

const pageRows = 1000;
