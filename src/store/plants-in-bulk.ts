/** What both engines do for an import or an export of all plants. */
import { int64Max, int64Min } from '../base/int64.ts';
import type { PlantRecord } from '../domain/plant.ts';
import type { StoreObserver } from './observer.ts';
import type { PlantStore, PutOutcome, PutPlants } from './store.ts';

/** Makes `putAll` report the events of an import once it is committed. */
export const reportImports = (putAll: PlantStore['putAll'], { onEvents }: StoreObserver): PlantStore['putAll'] =>
  onEvents === undefined
    ? putAll
    : async (fill) => {
        const counts: Record<PutOutcome, number> = { created: 0, unchanged: 0, replaced: 0, taken: 0 };
        const result = await putAll((put) => {
          const putAndCount: PutPlants = async (plants, onTaken) => {
            const outcomes = await put(plants, onTaken);
            for (const outcome of outcomes) counts[outcome] += 1;
            return outcomes;
          };
          return fill(putAndCount);
        });
        if (counts.created > 0) onEvents('plant.created', counts.created);
        if (counts.replaced > 0) onEvents('plant.updated', counts.replaced);
        return result;
      };

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
