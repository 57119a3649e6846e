/** The items of a stream, as a client parses them, match the OpenAPI 3.2 document. */
import { expect, test } from 'bun:test';
import { asJson, create, createTestApp } from '../support/app/app.ts';
import { fitsItemSchema, parseStream } from '../support/document/streamed-event.ts';
import { asStream, readFrames } from '../support/streams/event-stream.ts';

test('every event of a stream matches itemSchema, and the comment at its beginning is not an item', async () => {
  const app = await createTestApp();
  const stream = readFrames(await app.send('GET', '/events', { headers: asStream }));
  await create(app, '{"id":9223372036854775807,"name":"a\\nb\\r\\u2028","tag":"日本"}');
  await app.send('PATCH', '/plants/9223372036854775807', { headers: asJson, body: '{"tag":null}' });
  await app.send('DELETE', '/plants/9223372036854775807');
  await create(app, '{"id":-1,"name":"data: x\\n\\nid: y"}');
  await stream.frames(4);
  await stream.cancel();

  expect(stream.text()).toStartWith(':\nid: evt_1_');
  const items = parseStream(stream.text());
  expect(items.map(({ event }) => event)).toEqual(['plant.created', 'plant.updated', 'plant.deleted', 'plant.created']);
  for (const item of items) expect({ item, fits: await fitsItemSchema(item) }).toEqual({ item, fits: true });
});
