/**
 * A model-based test: fast-check generates long sequences of creations, patches, deletions, lists and restarts.
 * After each step, the responses must match a Map of plants, and the events must match a list.
 */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { int64Max, int64Min } from '../../src/base/int64.ts';
import { asJson, createTestApp, type TestApp } from '../support/app/app.ts';
import { nextPath } from '../support/app/links.ts';
import type { TestDatabase } from '../support/store/engine.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';

interface ModelPlant {
  readonly name: string;
  readonly tag?: string;
}

/** The expected plants, the last entity tag of each plant, and all events as JSON. */
interface Model {
  readonly plants: Map<bigint, ModelPlant>;
  readonly etags: Map<bigint, string>;
  readonly events: string[];
}

/** The service. A restart replaces the app by another one on the same database. */
interface Real {
  app: TestApp;
  readonly database: TestDatabase;
}

type Step = fc.AsyncCommand<Model, Real>;

let steps = 0;

/** A step that runs on both the model and the service. */
const step = (text: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  run: async (model, real) => {
    steps += 1;
    await run(model, real);
  },
  toString: () => text,
});

const record = (id: bigint, { name, tag }: ModelPlant): string =>
  `{"id":${id},"name":${JSON.stringify(name)}${tag === undefined ? '' : `,"tag":${JSON.stringify(tag)}`}}`;

/** The text of a response, without the times of its records. */
const withoutTimes = (text: string): string => text.replace(/,"createdAt":"[^"]*","updatedAt":"[^"]*"/g, '');

/** An event as in the list, without its time, id and sequence. */
const event = (type: string, plant: string): string => `{"type":"${type}",${plant.slice(1)}`;

const withoutPlace = (text: string): string =>
  text.replace(/"eventId":"evt_[^"]*","sequence":\d+,/g, '').replace(/,"timestamp":"[^"]*"/g, '');

const create = (id: bigint, plant: ModelPlant): Step =>
  step(`create ${record(id, plant)}`, async (model, { app }) => {
    const response = await app.send('POST', '/plants', { headers: asJson, body: record(id, plant) });
    const existing = model.plants.get(id);
    if (existing && !Bun.deepEquals(existing, plant)) {
      expect(response.status).toBe(409);
      return;
    }
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(plant);
    if (existing) expect(response.headers.get('etag')).toBe(model.etags.get(id) ?? '');
    else model.events.push(event('plant.created', record(id, plant)));
    model.plants.set(id, plant);
    model.etags.set(id, response.headers.get('etag') ?? '');
  });

type Version = 'any' | 'known' | 'wrong';

const patch = (id: bigint, change: { name?: string; tag?: string | null }, version: Version): Step =>
  step(`patch ${id} ${JSON.stringify(change)} with ${version} version`, async (model, { app }) => {
    const headers = { ...asJson, ...ifMatch(model, id, version) };
    const response = await app.send('PATCH', `/plants/${id}`, { headers, body: JSON.stringify(change) });
    const existing = model.plants.get(id);
    if (!existing) {
      expect(response.status).toBe(404);
      return;
    }
    if (version === 'wrong') {
      expect(response.status).toBe(412);
      return;
    }
    expect(response.status).toBe(200);
    const { tag: tagBefore, name: nameBefore } = existing;
    const name = change.name ?? nameBefore;
    const tag = change.tag === undefined ? tagBefore : (change.tag ?? undefined);
    const after = { name, ...(tag !== undefined && { tag }) };
    expect(withoutTimes(await response.text())).toBe(record(id, after));
    if (Bun.deepEquals(after, existing)) expect(response.headers.get('etag')).toBe(model.etags.get(id) ?? '');
    else {
      expect(response.headers.get('etag')).not.toBe(model.etags.get(id) ?? '');
      model.events.push(event('plant.updated', record(id, after)));
    }
    model.plants.set(id, after);
    model.etags.set(id, response.headers.get('etag') ?? '');
  });

const ifMatch = ({ etags }: Model, id: bigint, version: Version): Record<string, string> =>
  version === 'any' ? {} : { 'if-match': version === 'known' ? (etags.get(id) ?? '"none"') : '"wrong"' };

const remove = (id: bigint, version: Version): Step =>
  step(`delete ${id} with ${version} version`, async (model, { app }) => {
    const headers = ifMatch(model, id, version);
    const response = await app.send('DELETE', `/plants/${id}`, { headers });
    const exists = model.plants.has(id);
    expect(response.status).toBe(!exists ? 404 : version === 'wrong' ? 412 : 204);
    if (response.status === 204) {
      model.events.push(event('plant.deleted', `{"id":${id}}`));
      model.plants.delete(id);
      model.etags.delete(id);
    }
  });

const get = (id: bigint): Step =>
  step(`get ${id}`, async (model, { app }) => {
    const response = await app.send('GET', `/plants/${id}`);
    const existing = model.plants.get(id);
    expect(response.status).toBe(existing ? 200 : 404);
    if (!existing) return;
    expect(withoutTimes(await response.text())).toBe(record(id, existing));
    expect(response.headers.get('etag')).toBe(model.etags.get(id) ?? '');
  });

const list = (limit: number, tag: string | undefined): Step =>
  step(`list ${limit} ${tag}`, async (model, { app }) => {
    const expected = [...model.plants]
      .filter(([, plant]) => tag === undefined || plant.tag === tag)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    let path = `/plants?limit=${limit}${tag === undefined ? '' : `&tag=${encodeURIComponent(tag)}`}`;
    for (let at = 0; path !== ''; at += limit) {
      const response = await app.send('GET', path);
      const page = expected.slice(at, at + limit).map(([id, plant]) => record(id, plant));
      expect(withoutTimes(await response.text())).toBe(`[${page.join(',')}]`);
      path = nextPath(response, path) ?? '';
      expect(path !== '').toBe(expected.length > at + limit);
    }
  });

const follow = (limit: number): Step =>
  step(`follow the events by ${limit}`, async ({ events }, { app }) => {
    let path = `/events?limit=${limit}`;
    for (let at = 0; path !== ''; at += limit) {
      const response = await app.send('GET', path);
      expect(withoutPlace(await response.text())).toBe(`[${events.slice(at, at + limit).join(',')}]`);
      path = nextPath(response, path) ?? '';
      expect(path !== '').toBe(events.length > at + limit);
    }
  });

const restart = (): Step =>
  step('restart', async (_model, real) => {
    await real.app.store.close();
    real.app = await createTestApp({ store: await openTestStore(real.database.url) });
  });

/** Few ids, names and tags, so that several steps use the same ones. */
const id = fc.constantFrom(int64Min, -1n, 0n, 1n, 2n ** 53n + 1n, int64Max);
const name = fc.constantFrom('', 'n', 'm', '🌱');
const tag = fc.constantFrom('', 't', 'u v', '+&=%');
const plant = fc.record({ name, tag }, { requiredKeys: ['name'] });
const change = fc.record({ name, tag: fc.oneof(tag, fc.constant(null)) }, { requiredKeys: [] });

const version = fc.constantFrom('any', 'known', 'wrong');

const requests = [
  fc.tuple(id, plant).map(([id, plant]) => create(id, plant)),
  fc.tuple(id, plant).map(([id, plant]) => create(id, plant)),
  fc.tuple(id, change, version).map(([id, change, version]) => patch(id, change, version)),
  fc.tuple(id, version).map(([id, version]) => remove(id, version)),
  id.map(get),
  fc.tuple(fc.integer({ min: 1, max: 7 }), fc.option(tag, { nil: undefined })).map(([limit, tag]) => list(limit, tag)),
  fc.integer({ min: 5, max: 50 }).map(follow),
];

/** A restart takes ten times as long as a request, so it is rarer. */
const history = fc.commands([...requests, ...requests, ...requests, ...requests, fc.constant(restart())], {
  size: 'max',
  maxCommands: 250,
});

onBothEngines(() => {
  test('the responses to any sequence of requests match the model, over at least 2,000 steps', async () => {
    steps = 0;
    for (let round = 0; steps < 2000; round += 1) {
      expect(round).toBeLessThan(1000);
      await fc.assert(
        fc.asyncProperty(history, async (commands) => {
          await using database = await createTestDatabase();
          const real: Real = { app: await createTestApp({ store: await openTestStore(database.url) }), database };
          await fc.asyncModelRun(
            () => ({ model: { plants: new Map(), etags: new Map(), events: [] }, real }),
            commands,
          );
          await real.app.store.close();
        }),
        { numRuns: 1, endOnFailure: false },
      );
    }
    expect(steps).toBeGreaterThanOrEqual(2000);
  });
});
