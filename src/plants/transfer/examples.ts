import { faultOf, missing, toMessage } from '../../http/faults.ts';
import type { Examples } from '../../http/schema.ts';
import { newPlantToJson } from '../plant.ts';
import { baobab, ficus, monstera, moss, sequoia } from '../sample.ts';
import { NewPlant } from '../schemas.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';

const calathea = { id: 5n, name: 'Calathea', tag: 'shade' };
const nameless = { id: 6, tag: 'shade' };

const ndjsonOf = (...plants: readonly object[]): string => plants.map((plant) => `${JSON.stringify(plant)}\n`).join('');
const csvOf = (...rows: readonly string[]): string => ['id,name,tag', ...rows].map((row) => `${row}\r\n`).join('');

const some = { summary: 'A new plant, and one that is in the store' };
const rejected = { summary: 'The row on line 2 has no name; with `partial=true`, the other one is imported' };

export const ndjsonFiles: Examples = {
  some: { ...some, value: ndjsonOf(newPlantToJson(calathea), newPlantToJson(ficus)) },
  rejected: { ...rejected, value: ndjsonOf(newPlantToJson(calathea), nameless) },
};

export const csvFiles: Examples = {
  some: { ...some, value: csvOf('5,Calathea,shade', '2,Ficus,') },
  rejected: { ...rejected, value: csvOf('6,,shade', '5,Calathea,shade') },
};

/** The examples of a parameter of an import. Tools send the example with the same name as the example of the body. */
export const ofEachFile = <Value>(value: Value): Record<string, Value> =>
  Object.fromEntries(['demo', ...Object.keys(csvFiles)].map((name) => [name, value]));

const counts = { created: 1, replaced: 0, unchanged: 0, skipped: 0, rejected: 0 };

export const rejectedRow = { line: 2, lines: 1, message: toMessage(missing(faultOf(NewPlant, 'name'))) };

export const importResults: Examples = {
  some: { ...some, value: { dryRun: false, ...counts, unchanged: 1, rejectedRows: [], ignored: [] } },
  rejected: {
    ...rejected,
    value: {
      dryRun: false,
      ...counts,
      rejected: 1,
      rejectedRows: [rejectedRow],
      ignored: [],
    },
  },
};

const all = { summary: 'All plants by ascending id' };
const stored = [moss, monstera, ficus, baobab, sequoia];

export const ndjsonExports: Examples = { ndjson: { ...all, value: ndjson.encode(stored) } };
export const csvExports: Examples = { csv: { ...all, value: csv.head + csv.encode(stored) } };
