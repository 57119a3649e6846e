/**
 * Each bound in the document is where the service refuses a value: the value at the bound is accepted, and the next one is refused
 * with a message that names the member or parameter. The bounds are found in the document, so a new member needs no entry.
 */
import { expect, test } from 'bun:test';
import { int64ToJson, isInt64 } from '../../src/base/int64.ts';
import type { Json } from '../../src/base/json.ts';
import { pointerOf } from '../../src/base/json-pointer.ts';
import { createTestApp, jsonOf } from '../support/app/app.ts';
import { createSampleApp } from '../support/app/sample-app.ts';
import { boundsOf, follow, partsOf, type Schema, schemaAt } from '../support/document/bounds.ts';
import { type PlacedOperation, parametersOf } from '../support/document/document.ts';
import { type Circumstance, type DocumentedResponse, requestOf } from '../support/document/documented-response.ts';
import { firstSuccesses } from '../support/document/scenes.ts';
import { onBothEngines } from '../support/store/engines.ts';

/** A part of a request that has bounds, and how to send a value for it. */
interface Place {
  readonly title: string;
  readonly documented: DocumentedResponse;
  readonly schema: Schema;
  /** The number of the error for an invalid value, what its message contains, and what its details name. */
  readonly error: number;
  readonly named: string;
  readonly part?: { readonly pointer: string } | { readonly parameter: string } | undefined;
  readonly put: (value: Json) => Circumstance;
}

const pointerTo = ({ path, method }: PlacedOperation): string => `#${pointerOf(['paths', path, method])}`;

const placesInBody = (documented: DocumentedResponse): Place[] => {
  const { operation, contentType } = documented;
  if (contentType === undefined) return [];
  const [, , { body }] = requestOf(documented);
  return partsOf(schemaAt(pointerTo(operation) + pointerOf(['requestBody', 'content', contentType, 'schema'])))
    .filter(({ path }) => path.length > 0)
    .map(({ path, schema }) => ({
      title: `${operation.operationId} /${path.join('/')}`,
      documented,
      schema,
      error: 40001,
      named: `/${path[0]} `,
      part: { pointer: `/${path[0]}` },
      put: (value) => ({
        body: write(replace(JSON.parse(`${body}`), path, value)),
        // A member with the name of a parameter in the path must equal it.
        parameters: isInt64(value) ? { [path.join('/')]: `${value}` } : {},
      }),
    }));
};

const numbers: Readonly<Record<string, number>> = { path: 40003, query: 40002, header: 40002 };

const placesInParameters = (documented: DocumentedResponse): Place[] => {
  const { operation } = documented;
  return parametersOf(operation).flatMap(({ name, in: location }, index) =>
    partsOf(follow(schemaOfParameter(operation, index), name)).map(({ path, schema }) => ({
      title: `${operation.operationId} ${location} ${[name, ...path].join('/')}`,
      documented,
      schema,
      error: numbers[location] ?? 0,
      named: ` ${name} `,
      part: location === 'path' ? undefined : { parameter: name },
      put: (value: Json) => ({ parameters: { [name]: Array.isArray(value) ? value.map(String) : `${value}` } }),
    })),
  );
};

/** `parametersOf` has those of the path first. */
const schemaOfParameter = (operation: PlacedOperation, index: number): Json | undefined => {
  const own = parametersOf(operation).length - (operation.parameters ?? []).length;
  const pointer =
    index < own
      ? `#${pointerOf(['paths', operation.path, 'parameters', `${index}`])}`
      : `${pointerTo(operation)}/parameters/${index - own}`;
  return schemaAt(pointer)['schema'];
};

/** The value with another member or item at this path. */
const replace = (whole: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json => {
  if (name === undefined) return value;
  if (name === '0') return [replace(undefined, rest, value)];
  const members = typeof whole === 'object' && whole !== null && !Array.isArray(whole) ? whole : {};
  return { ...members, [name]: replace(members[name], rest, value) };
};

const write = (body: Json): string =>
  JSON.stringify(body, (_name, value: unknown) => (typeof value === 'bigint' ? int64ToJson(value) : value));

const places = firstSuccesses
  .flatMap((documented) => [...placesInBody(documented), ...placesInParameters(documented)])
  .map((place) => ({ ...place, ...boundsOf(place.schema) }))
  .filter(({ valid, invalid }) => valid.length + invalid.length > 0);

test('bodies, paths and queries have bounds', () => {
  expect(new Set(places.map(({ error }) => error))).toEqual(new Set([40001, 40002, 40003]));
});

onBothEngines(() => {
  const send = async ({ documented, put }: Place, value: Json): Promise<Response> => {
    // The example of a creation is in the sample data, so that another plant with its id would be refused.
    const app = documented.operation.path.includes('{') ? await createSampleApp() : await createTestApp();
    return app.send(...requestOf(documented, put(value)));
  };

  test.each(places)('the service accepts the values at the bounds of $title', async (place) => {
    for (const value of place.valid) {
      const { status } = await send(place, value);
      // There is no plant with an id at a bound.
      expect([value, [200, 201, 404].includes(status)]).toEqual([value, true]);
    }
  });

  test.each(places)('the service refuses the values past the bounds of $title', async (place) => {
    for (const value of place.invalid) {
      const response = await send(place, value);
      expect([value, response.status]).toEqual([value, 400]);
      expect(await jsonOf(response)).toEqual({
        error: place.error,
        message: expect.stringContaining(place.named),
        ...(place.part && { details: [{ ...place.part, message: expect.stringMatching(/^must /) }] }),
      });
    }
  });
});
