/** Two clients, generated from the document by third-party tools, call the server. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import createClient from 'openapi-fetch';
import { int64ToJson } from '../src/base/int64.ts';
import { everyByte, pngOfBytes } from '../tests/support/pictures/pictures.ts';
import { createClient as createHeyApi } from './generated/hey-api/client/index.ts';
import * as heyApi from './generated/hey-api/sdk.gen.ts';
import type { paths } from './generated/openapi-typescript.ts';
import { engines, type Service, startService } from './service.ts';
import { walk } from './walk.ts';

/** It has all bytes, and is too large for one piece of a stream. */
const picture = new Blob([pngOfBytes(200_000, everyByte)], { type: 'image/png' });
const bytes = await picture.bytes();

/** The same picture in a form, named as the document names it. */
const formOf = ({ picture }: { picture: unknown }): FormData => {
  const form = new FormData();
  if (picture instanceof Blob) form.append('picture', picture);
  return form;
};

describe.each(engines)('$name', (engine) => {
  let server: Service;
  let headers: { authorization: string };
  beforeAll(async () => {
    server = await startService(engine);
    headers = { authorization: `Bearer ${server.token}` };
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('openapi-fetch with the types of openapi-typescript calls every operation', async () => {
    await walk(createClient<paths, 'application/json'>({ baseUrl: server.url, headers }));
  });

  test('a client that reads ids from the source text gets ids beyond 2⁵³ exactly', async () => {
    const client = createClient<paths, 'application/json'>({ baseUrl: server.url, headers });
    const id = 9223372036854775807n;
    const created = await client.POST('/plants', {
      body: { id: 0, name: 'n' },
      bodySerializer: (body) => JSON.stringify({ ...body, id: int64ToJson(id) }),
    });
    expect(created.response.headers.get('location')).toBe(`plants/${id}`);
    const { data } = await client.GET('/plants', { parseAs: 'text' });
    const exact = JSON.parse(data ?? '', (name: string, value: unknown, context?: { source: string }) =>
      name === 'id' && context ? BigInt(context.source) : value,
    );
    expect(exact.at(-1).id).toBe(id);
    // JSON.parse rounds it.
    expect(JSON.parse(data ?? '').at(-1).id).toBe(2 ** 63);
  });

  test('openapi-fetch uploads a picture, as it is and in a form, and downloads it byte for byte', async () => {
    const client = createClient<paths>({ baseUrl: server.url, headers });
    const params = { path: { id: 21 } };
    await client.POST('/plants', { body: { id: 21, name: 'Fern' } });
    const put = await client.PUT('/plants/{id}/picture', {
      params,
      headers: { 'content-type': picture.type },
      body: picture,
      bodySerializer: () => picture,
    });
    expect(put.response.status).toBe(201);
    const read = () => client.GET('/plants/{id}/picture', { params, parseAs: 'blob' });
    expect(await (await read()).data?.bytes()).toEqual(bytes);
    expect((await client.DELETE('/plants/{id}/picture', { params })).response.status).toBe(204);
    const form = { picture };
    const putForm = await client.PUT('/plants/{id}/picture', {
      params,
      body: form,
      bodySerializer: () => formOf(form),
    });
    expect(putForm.response.status).toBe(201);
    expect(await (await read()).data?.bytes()).toEqual(bytes);
    await client.DELETE('/plants/{id}', { params });
  });

  test('the client of @hey-api/openapi-ts uploads a picture, as it is and in a form, and downloads it byte for byte', async () => {
    const client = createHeyApi({ baseUrl: server.url, headers });
    const path = { id: 22 };
    const read = async (): Promise<Uint8Array> => {
      const { data }: { data?: unknown } = await heyApi.getPicture({ client, path });
      return data instanceof Blob ? data.bytes() : new Uint8Array();
    };
    await heyApi.createPlant({ client, body: { id: 22, name: 'Fern' } });
    const put = await heyApi.putPicture({ client, path, body: picture, bodySerializer: null });
    expect(put.response?.status).toBe(201);
    expect(await read()).toEqual(bytes);
    expect((await heyApi.deletePicture({ client, path })).response?.status).toBe(204);
    const putForm = await heyApi.putPicture({
      client,
      path,
      // Otherwise it says image/png, the first media type of the document.
      headers: { 'Content-Type': null },
      body: formOf({ picture }),
      bodySerializer: null,
    });
    expect(putForm.response?.status).toBe(201);
    expect(await read()).toEqual(bytes);
    await heyApi.deletePlant({ client, path });
  });

  test('the client of @hey-api/openapi-ts calls every operation', async () => {
    const client = createHeyApi({ baseUrl: server.url, headers });
    const path = { id: 7 };
    expect((await heyApi.createPlant({ client, body: { id: 7, name: 'Ficus' } })).data).toEqual({ name: 'Ficus' });
    expect((await heyApi.getPlant({ client, path })).data?.name).toBe('Ficus');
    expect((await heyApi.updatePlant({ client, path, body: { tag: 'indoor' } })).data?.tag).toBe('indoor');
    expect((await heyApi.listPlants({ client, query: { tag: ['indoor'] } })).data).toHaveLength(1);
    expect((await heyApi.deletePlant({ client, path })).response?.status).toBe(204);
    expect((await heyApi.getPlant({ client, path })).error?.error).toBe(40400);
    expect((await heyApi.listEvents({ client, query: { type: 'plant.deleted' } })).data?.at(-1)).toMatchObject(path);
    const { data: webhook } = await heyApi.createWebhook({ client, body: { url: 'https://example.com/' } });
    const of = { client, path: { webhookId: webhook?.id ?? '' } };
    expect((await heyApi.listWebhooks({ client })).data?.at(-1)?.id).toBe(of.path.webhookId);
    expect((await heyApi.getWebhook(of)).data?.url).toBe('https://example.com/');
    expect((await heyApi.rotateWebhook(of)).data?.secret).not.toBe(webhook?.secret ?? '');
    const deliveryId = (await heyApi.testWebhook(of)).data?.id ?? '';
    expect((await heyApi.listDeliveries(of)).data?.[0]?.id).toBe(deliveryId);
    const redelivered = await heyApi.redeliver({ client, path: { ...of.path, deliveryId } });
    expect(redelivered.response?.status).toBe(202);
    expect((await heyApi.deleteWebhook(of)).response?.status).toBe(204);
    expect((await heyApi.getToken({ client })).data?.name).toBe('conformance');
    expect((await heyApi.getMetrics({ client })).data).toContain('plant_store_log_head ');
  });
});
