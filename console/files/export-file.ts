/** Plants as files, which the import reads again: all of a filter from the service, and selected ones from the page. */
import { writeJson } from '../api/json.ts';
import { members, type Plant } from '../plants/members.ts';

export type Format = 'CSV' | 'NDJSON';

export const mediaTypes: Readonly<Record<Format, string>> = { CSV: 'text/csv', NDJSON: 'application/x-ndjson' };

export const extensions: Readonly<Record<Format, string>> = { CSV: 'csv', NDJSON: 'ndjson' };

export const writePlants = (plants: readonly Plant[], format: Format): string => {
  if (format === 'NDJSON') return plants.map(({ picture: _, ...plant }) => `${writeJson(plant)}\n`).join('');
  const rows = plants.map((plant) => columns.map((name) => fieldOf(plant[name])));
  return [columns, ...rows].map((fields) => `${fields.join(',')}\r\n`).join('');
};

/** Without the picture, as in the files of the service. */
const columns: readonly Exclude<keyof Plant, 'picture'>[] = [
  'id',
  ...members.map(({ name }) => name),
  'createdAt',
  'updatedAt',
];

/** As the service writes them: texts have quotes, so that none and an empty text differ. */
const fieldOf = (value: bigint | string | undefined): string => {
  if (value === undefined) return '';
  return typeof value === 'bigint' ? `${value}` : `"${value.replaceAll('"', '""')}"`;
};
