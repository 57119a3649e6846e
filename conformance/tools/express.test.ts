/** How express-openapi-validator reads OpenAPI 3.1, for requests and for responses. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import type { Server } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import { smallDocument } from './small-document.ts';

// The machine may be busy.
setDefaultTimeout(60_000);

const { Event, PlantCreated, PlantDeleted, ...others } = smallDocument.components.schemas;

/** `POST` has the schema for its body, and `PUT` for its response, which repeats the body. */
const operations = (schema: object) => {
  const content = { 'application/json': { schema } };
  return {
    post: { requestBody: { required: true, content }, responses: { '204': { description: 'accepted' } } },
    put: {
      requestBody: { content: { 'application/json': { schema: {} } } },
      responses: { '200': { description: 'repeated', content } },
    },
  };
};

const schemas = {
  ...others,
  EarlyEvent: Event,
  PlantCreated,
  PlantDeleted,
  Event,
  ClosedEvent: { ...Event, unevaluatedProperties: false },
};

const definition = {
  openapi: '3.1.1',
  info: smallDocument.info,
  paths: Object.fromEntries(
    Object.keys(schemas).map((name) => [`/${name}`, operations({ $ref: `#/components/schemas/${name}` })]),
  ),
  components: { schemas },
};

let server: Server;
beforeAll(() => {
  const onError: ErrorRequestHandler = (error, _, response, __) => {
    response.sendStatus(error.status ?? 500);
  };
  server = express()
    .use(express.json())
    .use(middleware({ apiSpec: JSON.parse(JSON.stringify(definition)), validateResponses: true }))
    .post('/{*path}', (_, response) => {
      response.sendStatus(204);
    })
    .put('/{*path}', (request, response) => {
      response.json(request.body);
    })
    .use(onError)
    .listen(0, '127.0.0.1');
});
afterAll(() => server.close());

/** The status: 204 or 200, or 400 for a refused request, or 500 for a refused response. */
const send = async (method: 'POST' | 'PUT', schema: string, value: object): Promise<number> => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  const headers = { 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${address.port}/${schema}`;
  return (await fetch(url, { method, headers, body: JSON.stringify(value) })).status;
};

const deleted = { eventId: 'e', type: 'plant.deleted' };
const created = { eventId: 'e', type: 'plant.created', name: 'n' };
const nameless = { eventId: 'e', type: 'plant.created' };

test('express-openapi-validator: null, an annotated enumeration and unevaluatedProperties over allOf are validated', async () => {
  expect(await send('POST', 'PlantPatch', { tag: null })).toBe(204);
  expect(await send('POST', 'PlantPatch', { tag: 5 })).toBe(400);
  expect(await send('POST', 'Error', { error: 40001 })).toBe(204);
  expect(await send('POST', 'Error', { error: 40002 })).toBe(400);
  expect(await send('POST', 'PlantRecord', { id: 1 })).toBe(204);
  expect(await send('POST', 'PlantRecord', { id: 1, secret: '' })).toBe(400);
});

test('express-openapi-validator: a discriminated oneOf is validated by the branch of its constant', async () => {
  expect(await send('POST', 'Event', deleted)).toBe(204);
  expect(await send('POST', 'Event', created)).toBe(204);
  expect(await send('POST', 'Event', nameless)).toBe(400);
  expect(await send('PUT', 'Event', deleted)).toBe(200);
  expect(await send('PUT', 'Event', nameless)).toBe(500);
});

test('express-openapi-validator: a discriminated oneOf that is defined before its branches is validated by the first one', async () => {
  expect(await send('POST', 'EarlyEvent', created)).toBe(204);
  expect(await send('POST', 'EarlyEvent', deleted)).toBe(400);
});

test('express-openapi-validator: the members beside a discriminated oneOf are ignored in requests, and validated in responses', async () => {
  expect(await send('POST', 'Event', { type: 'plant.deleted' })).toBe(204);
  expect(await send('POST', 'ClosedEvent', { ...deleted, secret: '' })).toBe(204);
  expect(await send('PUT', 'Event', { type: 'plant.deleted' })).toBe(500);
  expect(await send('PUT', 'ClosedEvent', { ...deleted, secret: '' })).toBe(500);
  expect(await send('PUT', 'ClosedEvent', deleted)).toBe(200);
});
