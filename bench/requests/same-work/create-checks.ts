/** A create is validated, can be repeated, and conflicts with another plant with the same id. */
import { type Client, describe, expect, expectBody, expectStatus } from './client.ts';

/** A created plant, which every server must store like this. */
export interface CreatedPlant {
  readonly id: number;
  readonly name: string;
  readonly tag?: string;
}

/** Returns the created plants. */
export const checkCreates = async (client: Client): Promise<CreatedPlant[]> => {
  for (const [what, body] of invalid) expectStatus(`${what} is refused`, await client.create(body), 400);
  const asText = { headers: { 'content-type': 'text/plain' } };
  expectStatus('another media type is refused', await client.create(monstera, asText), 415);
  expectStatus('a body of 64 KiB and one byte is refused', await client.create(padTo(65_537, monstera)), 413);

  for (const plant of plants) await checkCreate(client, plant);
  const [one, ...others] = await Promise.all(plants.map(({ id }) => client.get(`/plants/${id}`)));
  const etagOfOne = one?.headers.get('etag') ?? null;
  expect(
    'different plants have different entity tags',
    others.every(({ headers }) => headers.get('etag') !== etagOfOne),
    `${etagOfOne}`,
  );

  for (const [what, body] of conflicting) expectStatus(`${what} conflicts`, await client.create(body), 409);
  return plants;
};

const monstera = { id: 900_000_002, name: 'Monstera', tag: 'tropical' };
/** The maximum number of code points, each with two UTF-16 units and four bytes. */
const longest = { id: -900_000_003, name: '🌱'.repeat(500), tag: '🪴'.repeat(100) };
const untagged = { id: 900_000_004, name: 'Ficus "quoted" \\ \u0001\n' };
const empty = { id: 0, name: '' };
const large = { id: 2 ** 53 - 1, name: 'Monstera', tag: 'tropical' };
const plants: CreatedPlant[] = [monstera, longest, untagged, empty, large];

const invalid: readonly (readonly [what: string, body: string | object])[] = [
  ['a body that is not JSON', '{"id":1'],
  ['an empty body', ''],
  ['an array', []],
  ['a plant without an id', { name: 'Monstera' }],
  ['a plant without a name', { id: 900_000_005 }],
  ['an id that is not an integer', { id: 1.5, name: 'Monstera' }],
  ['an id that is a string', { id: '900000005', name: 'Monstera' }],
  ['a name that is a number', { id: 900_000_005, name: 1 }],
  ['a name of 501 code points', { id: 900_000_005, name: '🌱'.repeat(501) }],
  ['a tag of 101 code points', { id: 900_000_005, name: 'Monstera', tag: '🌱'.repeat(101) }],
  ['a tag that is null', { id: 900_000_005, name: 'Monstera', tag: null }],
];

const conflicting: readonly (readonly [what: string, body: object])[] = [
  ['another name', { ...monstera, name: 'Ficus' }],
  ['another tag', { ...monstera, tag: 'indoor' }],
  ['a plant without its tag', { id: monstera.id, name: monstera.name }],
  ['a plant with a tag', { ...untagged, tag: 'tropical' }],
];

/** A plant in a body of this number of bytes. */
const padTo = (bytes: number, plant: CreatedPlant): string => {
  const body = JSON.stringify(plant);
  return body + ' '.repeat(bytes - Buffer.byteLength(body));
};

/** Creates the plant twice, and reads it. */
const checkCreate = async (client: Client, plant: CreatedPlant): Promise<void> => {
  const { id, ...answer } = plant;
  const body = padTo(65_536, plant);
  const first = await client.create(body);
  expectBody('the response to a create has its name and its tag', first, answer);
  expect(
    'the Location of a create',
    new URL(first.headers.get('location') ?? '', 'http://localhost/plants').pathname === `/plants/${id}`,
    describe(first),
  );
  const etag = first.headers.get('etag') ?? '';
  expect('a strong ETag of a create', /^"[\w-]+"$/.test(etag), describe(first));

  const again = await client.create(plant);
  expectBody('the same create again succeeds', again, answer);
  expect('the same create again has the same ETag', again.headers.get('etag') === etag, describe(again));

  const found = await client.get(`/plants/${id}`);
  expectStatus('the plant can be read', found, 200);
  const { createdAt, updatedAt, ...rest } = JSON.parse(found.text);
  expect('the plant is returned unchanged', Bun.deepEquals(rest, plant), describe(found));
  expect('times in RFC 3339 with milliseconds', instantForm.test(createdAt) && updatedAt === createdAt, found.text);
  expect('a read has the ETag of the create', found.headers.get('etag') === etag, describe(found));
};

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
