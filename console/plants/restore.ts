/** Creates deleted plants again, many in one request, with the times that they had: the import of the service keeps these. */
import { writePlants } from '../files/export-file.ts';
import type { Plant } from './members.ts';

/** Imports lines of NDJSON, and resolves to the rows that were rejected. Throws Problem. */
export type ImportLines = (ndjson: string) => Promise<readonly { readonly line: number; readonly message: string }[]>;

const requestMax = 1000;

/** Returns what resolves to why a plant was not created again, or to undefined. The request of a plant is made when it is asked for. */
export const createRestore = (plants: readonly Plant[], importLines: ImportLines) => {
  const places = new Map(plants.map(({ id }, index) => [id, index]));
  const requests = new Map<number, Promise<ReadonlyMap<number, string>>>();
  const request = async (part: number): Promise<ReadonlyMap<number, string>> => {
    const own = plants.slice(part * requestMax, (part + 1) * requestMax);
    const rejected = await importLines(writePlants(own, 'NDJSON'));
    return new Map(rejected.map(({ line, message }) => [line - 1, message]));
  };
  return async ({ id }: Plant): Promise<string | undefined> => {
    const index = places.get(id) ?? -1;
    const part = Math.floor(index / requestMax);
    const made = requests.get(part) ?? request(part);
    requests.set(part, made);
    return (await made).get(index % requestMax);
  };
};
