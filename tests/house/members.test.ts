/** No member of a plant is lost on its way: each representation has every member of the schema, on both engines. */
import { expect, test } from 'bun:test';
import { getTableColumns } from 'drizzle-orm';
import type { TSchema } from 'elysia';
import * as sqlite from '../../db/sqlite.ts';
import { parseJson } from '../../src/base/json.ts';
import { payloadOf } from '../../src/events/event.ts';
import { recordImport } from '../../src/plants/import.ts';
import { patchPlant, toPlantPatch, versionOf } from '../../src/plants/plant.ts';
import { plantMembers } from '../../src/plants/schemas.ts';
import { columnNames, requiredColumns, toImportedPlant } from '../../src/plants/transfer/format.ts';
import * as postgres from '../../src/postgres/db/tables.ts';
import { asJson, create, createTestApp, jsonOf, type TestApp } from '../support/app/app.ts';
import { operations } from '../support/document/document.ts';
import { runCommand } from '../support/programs/command.ts';
import { createWorkplace } from '../support/programs/workplace.ts';
import { behaviourEngines, createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';

const { id: _, ...others } = plantMembers;
const names = Object.keys(others);
const optional = names.filter((name) => !requiredColumns.includes(name));

type Members = Readonly<Record<string, string | number | null | undefined>>;

/** A different value for each member except the id, and for each version. */
const membersOf = (version: number): Members =>
  Object.fromEntries(
    Object.entries<TSchema>(others).map(([name, schema], index) => [
      name,
      schema['type'] === 'integer' ? 100 * version + index : `${name} ${version}`,
    ]),
  );

const setAll = (members: readonly string[], value: null | undefined): Members =>
  Object.fromEntries(members.map((name) => [name, value]));

const first = membersOf(1);
const second = membersOf(2);
const bare = { ...second, ...setAll(optional, undefined) };

const patch = ({ send }: TestApp, id: number, members: Members): Promise<Response> =>
  send('PATCH', `/plants/${id}`, { headers: asJson, body: JSON.stringify(members) });

/** The members of a plant without its times, after the check that a list has the same bytes as the plant alone. */
const read = async ({ send }: TestApp, id: number): Promise<Members> => {
  const text = await (await send('GET', `/plants/${id}`)).text();
  expect(await (await send('GET', '/plants?limit=1')).text()).toBe(`[${text}]`);
  const { createdAt, updatedAt, ...members } = JSON.parse(text);
  expect([createdAt, updatedAt]).toEqual([expect.any(String), expect.any(String)]);
  return members;
};

const withoutTimes = ({ timestamp: _, eventId: __, sequence: ___, ...members }: Members): Members => members;

test.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)('the tables of %s have a column for each member', (_engine, { plants, events }) => {
  // Files do not have the picture.
  expect(Object.keys(getTableColumns(plants))).toEqual([...columnNames, 'picture']);
  expect(Object.keys(getTableColumns(events))).toEqual(expect.arrayContaining(names));
});

test.each(names)('an example of a creation and one of an update have the %s of a plant', (name) => {
  for (const { method, requestBody } of operations.filter(({ path }) => /^\/plants(\/\{id\})?$/.test(path))) {
    if (!requestBody) continue;
    const examples = Object.values(requestBody.content).flatMap(({ examples = {} }) => Object.values(examples));
    expect([method, examples.filter(({ value }) => Object.hasOwn(value, name)).length]).not.toEqual([method, 0]);
  }
});

const recordOf = (members: Members) =>
  recordImport(toImportedPlant(parseJson(JSON.stringify({ id: 1, ...members }))), new Date(0));

test.each(names)('the version of a plant depends on its %s', (name) => {
  const versions = [first, { ...first, [name]: second[name] }].map((members) => versionOf(recordOf(members)));
  expect(new Set(versions).size).toBe(2);
});

test.each(names)('a patch without the %s of a plant does not change it', (name) => {
  const others = names.filter((other) => other !== name);
  for (const changed of [others, []]) {
    const patch = Object.fromEntries(changed.map((member) => [member, second[member]]));
    const record = recordOf(first);
    expect(patchPlant(record, toPlantPatch(patch), new Date(0))).toHaveProperty(name, Reflect.get(record, name));
  }
});

onBothEngines(() => {
  test('requests, responses, events and messages have every member', async () => {
    const app = await createTestApp();
    expect(await jsonOf(await create(app, JSON.stringify({ id: 1, ...first })))).toEqual(first);
    expect(await read(app, 1)).toEqual({ id: 1, ...first });
    expect(await jsonOf(await patch(app, 1, second))).toMatchObject({ id: 1, ...second });
    expect(await read(app, 1)).toEqual({ id: 1, ...second });
    await patch(app, 1, setAll(optional, null));
    expect(await read(app, 1)).toEqual({ id: 1, ...bare });

    const events = [
      { type: 'plant.created', id: 1, ...first },
      { type: 'plant.updated', id: 1, ...second },
      { type: 'plant.updated', id: 1, ...bare },
    ];
    const listed: Members[] = await jsonOf(await app.send('GET', '/events'));
    expect(listed.map(withoutTimes)).toEqual(events);
    const messages = (await app.store.events.list({ limit: 10 })).map((event) => JSON.parse(payloadOf(event)));
    expect(messages.map(withoutTimes)).toEqual(events);
  });

  test('a plant that is created together with another change has every member', async () => {
    const app = await createTestApp();
    await create(app, JSON.stringify({ id: 2, ...first }));
    await Promise.all([patch(app, 2, second), create(app, JSON.stringify({ id: 1, ...first }))]);
    expect(await read(app, 1)).toEqual({ id: 1, ...first });
    expect(await jsonOf(await app.send('GET', '/plants/2'))).toMatchObject({ id: 2, ...second });
  });

  test.each(names)('a plant with another %s is a different plant', async (name) => {
    const app = await createTestApp();
    await create(app, JSON.stringify({ id: 1, ...first }));
    const changed = { ...first, [name]: second[name] };
    expect((await create(app, JSON.stringify({ id: 1, ...changed }))).status).toBe(409);
    await patch(app, 1, { [name]: second[name] });
    expect(await read(app, 1)).toEqual({ id: 1, ...changed });
  });

  test.each(['ndjson', 'csv'])('imports, exports and copies have every member in %s', async (format) => {
    using work = createWorkplace();
    await using database = await createTestDatabase();
    const file = work.file(`plants.${format}`);
    const exported = async (url: string, as: string): Promise<string> =>
      (await runCommand(['export', '-', '--format', as, '--database', url])).stdout;
    const importFile = async (): Promise<string> =>
      (await runCommand(['import', file, '--on-conflict', 'replace', '--database', database.url])).stderr;
    const write = async (...plants: Members[]): Promise<void> => {
      work.write('source.ndjson', plants.map((plant) => `${JSON.stringify(plant)}\n`).join(''));
      await work.run('import', 'source.ndjson', '--on-conflict', 'replace');
      await Bun.write(file, await exported(work.database, format));
    };

    await write({ id: 1, ...first });
    expect(await importFile()).toContain('1 created');
    expect(await exported(database.url, 'ndjson')).toContain(JSON.stringify({ id: 1, ...first }).slice(0, -1));
    await write({ id: 1, ...second }, { id: 2, ...first });
    expect(await importFile()).toContain('1 created, 1 replaced');
    const content = await exported(database.url, 'ndjson');
    expect(content).toBe(await exported(work.database, 'ndjson'));
    expect(content).toContain(JSON.stringify({ id: 1, ...second }).slice(0, -1));

    for (const { createDatabase } of behaviourEngines) {
      await using target = await createDatabase();
      await runCommand(['copy', database.url, target.url]);
      expect(await exported(target.url, 'ndjson')).toBe(content);
      const store = await openTestStore(target.url);
      const events = (await store.events.list({ limit: 10 })).map((event) => JSON.parse(payloadOf(event)));
      expect(events.map(withoutTimes).sort((a, b) => Number(a['id']) - Number(b['id']))).toEqual([
        { type: 'plant.created', id: 1, ...first },
        { type: 'plant.updated', id: 1, ...second },
        { type: 'plant.created', id: 2, ...first },
      ]);
      await store.close();
    }
  });
});
