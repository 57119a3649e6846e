import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { int64FromNumeral, int64Max, int64Min, int64ToJson } from '../../src/base/int64.ts';
import { nameLengthMax, tagLengthMax } from '../../src/plants/plant.ts';
import { anyCharacter } from '../support/any-character.ts';
import { create, createTestApp, errorOf, type TestApp } from '../support/app/app.ts';
import { onBothEngines, openTestStore } from '../support/store/engines.ts';

let app: TestApp;
onBothEngines(() => {
  beforeAll(async () => {
    app = await createTestApp();
  });

  /** Any valid text, with characters from all planes of Unicode and characters that JSON must escape. */
  const text = (lengthMax: number) =>
    fc
      .array(
        fc.oneof(
          fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
          fc.constantFrom('"', '\\', '\n', '\u2028', '\uFEFF', '🌱', '\u0001'),
        ),
        { maxLength: lengthMax },
      )
      .map((characters) => characters.join('').replaceAll('\0', ''))
      .filter((characters) => [...characters].length <= lengthMax);

  const id = fc.oneof(
    fc.bigInt({ min: int64Min, max: int64Max }),
    fc.constantFrom(int64Min, int64Max, 0n, 2n ** 53n + 1n),
  );

  test('any valid plant is created and returned unchanged', async () => {
    const used = new Set<bigint>();
    await fc.assert(
      fc.asyncProperty(
        id,
        text(nameLengthMax),
        fc.option(text(tagLengthMax), { nil: undefined }),
        async (plantId, name, tag) => {
          fc.pre(!used.has(plantId));
          used.add(plantId);
          const created = await create(app, JSON.stringify({ id: int64ToJson(plantId), name, tag }));
          expect(created.status).toBe(200);
          expect(await created.text()).toBe(JSON.stringify({ name, tag }));

          const found = await (await app.send('GET', `/plants/${plantId}`)).text();
          expect(found.slice(0, found.indexOf(','))).toBe(`{"id":${plantId}`);
          const { id: _, createdAt: __, updatedAt: ___, ...rest } = JSON.parse(found);
          expect(rest).toEqual({ name, ...(tag !== undefined && { tag }) });
        },
      ),
      { numRuns: 300 },
    );
  });

  test('plants that are inserted together are returned unchanged, and the first one with an id is stored', async () => {
    const plant = fc.record({ id, name: text(20), tag: text(20) }, { requiredKeys: ['id', 'name'] });
    await fc.assert(
      fc.asyncProperty(fc.array(plant, { maxLength: 20 }), async (plants) => {
        const store = await openTestStore();
        const outcomes = await store.plants.putAll((put) => put(plants, 'leave'));
        const first = new Map(plants.toReversed().map((one) => [one.id, one]));
        for (const [index, one] of plants.entries()) {
          const kept = await store.plants.get(one.id);
          expect(kept).toMatchObject(first.get(one.id) ?? {});
          expect(outcomes[index] === 'created').toBe(first.get(one.id) === one);
        }
        expect(await store.plants.count()).toBe(first.size);
        const log = await store.events.list({ limit: 100 });
        expect(log.map((event) => ({ ...event, sequence: 0n, timestamp: '' }))).toEqual(
          plants
            .filter((one) => first.get(one.id) === one)
            .map((one) => ({ ...one, type: 'plant.created', sequence: 0n, timestamp: '' })),
        );
        await store.close();
      }),
      { numRuns: 50 },
    );
  });

  describe('an invalid JSON value', () => {
    /** Whether a value from JSON.parse matches the schema, without the code under test. */
    const isNewPlant = (value: unknown): boolean => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      const memberOf = (name: string): unknown => (Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined);
      const isText = (member: unknown, lengthMax: number): boolean =>
        typeof member === 'string' && [...member].length <= lengthMax && !/\0|\p{Surrogate}/u.test(member);
      return (
        Number.isInteger(memberOf('id')) &&
        isText(memberOf('name'), nameLengthMax) &&
        (memberOf('tag') === undefined || isText(memberOf('tag'), tagLengthMax))
      );
    };

    /** Almost valid values: each member is valid, invalid or omitted. */
    const almostValid = fc.record(
      {
        id: fc.oneof(
          fc.integer(),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.jsonValue(),
          fc.constant('1'),
        ),
        name: fc.oneof(fc.string(), fc.jsonValue(), fc.constantFrom('\0', '\ud800', 'n'.repeat(501))),
        tag: fc.oneof(fc.string(), fc.jsonValue(), fc.constantFrom('\0', '\udc00', 't'.repeat(101))),
      },
      { requiredKeys: [] },
    );

    test('any JSON value that does not match the schema gets 400 and creates no plant', async () => {
      const fresh = await createTestApp();
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.jsonValue({ maxDepth: 4 }), almostValid), async (value) => {
          const body = JSON.stringify(value);
          fc.pre(!isNewPlant(JSON.parse(body)));
          expect(await errorOf(await create(fresh, body))).toBe(40001);
          const numeral = /"id":(-?[\d.eE+-]+)/.exec(body)?.[1];
          const plantId = numeral === undefined ? undefined : int64FromNumeral(numeral);
          if (plantId !== undefined) expect((await fresh.send('GET', `/plants/${plantId}`)).status).toBe(404);
        }),
        { numRuns: 1000 },
      );
    });
  });
});
