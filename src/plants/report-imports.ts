import type { StoreObserver } from '../storage/observer.ts';
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
