/** Reads what a client sends. An invalid value is undefined. */
import type { NewPlant } from './store.ts';

/** The id of a request that the client has chosen. */
export const readRequestId = (header: string | undefined): string | undefined =>
  header !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(header) ? header : undefined;

/** Numbers of JavaScript are exact up to 2⁵³ − 1, so these are the ids that this server accepts. */
export const readNewPlant = (value: unknown): NewPlant | undefined => {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('name' in value)) return undefined;
  const { id, name } = value;
  const tag = 'tag' in value ? value.tag : undefined;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || !isText(name, 500)) return undefined;
  return tag === undefined || isText(tag, 100) ? { id, name, tag } : undefined;
};

export const readId = (text: string): number | undefined => (idForm.test(text) ? Number(text) : undefined);

export const readLimit = (text = '100'): number | undefined =>
  /^(?:[1-9]\d{0,2}|1000)$/.test(text) ? Number(text) : undefined;

/** The id after which a page begins. */
export const readCursor = (cursor: string | undefined): number | undefined =>
  cursor === undefined ? beforeAll : readId(Buffer.from(cursor, 'base64url').toString());

export const writeCursor = (id: number | undefined): string => Buffer.from(`${id}`).toString('base64url');

const idForm = /^(?:0|-?[1-9]\d{0,15})$/;
const beforeAll = Number.MIN_SAFE_INTEGER - 1;

/** `lengthMax` is in Unicode code points. A string never has more of them than UTF-16 units. */
const isText = (value: unknown, lengthMax: number): value is string =>
  typeof value === 'string' && (value.length <= lengthMax || [...value].length <= lengthMax);
