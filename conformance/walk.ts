import { expect } from 'bun:test';
import type { Client } from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript.ts';

/** Calls every operation of the document, with ids that fit in a double, and checks each response. */
export const walk = async (client: Client<paths, 'application/json'>): Promise<void> => {
  const body = { id: 1, name: 'Monstera', tag: 'tropical' };
  const created = await client.POST('/plants', { body });
  expect(created.data).toEqual({ name: 'Monstera', tag: 'tropical' });
  const id = 1;
  const path = { params: { path: { id } } };
  const etag = created.response.headers.get('etag') ?? '';

  expect((await client.GET('/plants/{id}', path)).data).toMatchObject(body);
  const known = { ...path.params, header: { 'If-None-Match': etag } };
  expect((await client.GET('/plants/{id}', { params: known })).response.status).toBe(304);
  const change = { params: { ...path.params, header: { 'If-Match': etag } }, body: { tag: null } };
  expect((await client.PATCH('/plants/{id}', change)).data).toMatchObject({ id, name: 'Monstera' });
  expect((await client.PATCH('/plants/{id}', change)).error).toMatchObject({ error: 41200 });
  expect((await client.GET('/plants', { params: { query: { limit: 1, tag: ['x'] } } })).data).toEqual([]);
  expect((await client.GET('/plants')).data).toHaveLength(1);
  expect((await client.DELETE('/plants/{id}', path)).response.status).toBe(204);
  const missing: components['schemas']['Error'] | undefined = (await client.GET('/plants/{id}', path)).error;
  expect(missing?.error).toBe(40400);

  const { data: events = [] } = await client.GET('/events', { params: { query: { limit: 2 } } });
  // The type discriminates the events, for the compiler too.
  const names = events.map((event) => (event.type === 'plant.deleted' ? event.id : event.name));
  expect(names).toEqual(['Monstera', 'Monstera']);

  const webhook = await client.POST('/webhooks', { body: { url: 'https://example.com/', events: ['plant.deleted'] } });
  expect(webhook.data?.secret).toStartWith('whsec_');
  const params = { path: { webhookId: webhook.data?.id ?? '' } };
  expect((await client.GET('/webhooks')).data).toHaveLength(1);
  expect((await client.GET('/webhooks/{webhookId}', { params })).data?.enabled).toBe(true);
  expect((await client.POST('/webhooks/{webhookId}/rotate', { params })).data?.secret).toStartWith('whsec_');
  const tested = await client.POST('/webhooks/{webhookId}/test', { params });
  expect(tested.data?.state).toBe('pending');
  expect((await client.GET('/webhooks/{webhookId}/deliveries', { params })).data).toHaveLength(1);
  const again = await client.POST('/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', {
    params: { path: { ...params.path, deliveryId: tested.data?.id ?? '' } },
  });
  expect(again.response.status).toBe(202);
  expect((await client.DELETE('/webhooks/{webhookId}', { params })).response.status).toBe(204);
  expect((await client.GET('/token')).data?.scopes).toContain('plants:read');
  expect((await client.GET('/metrics', { parseAs: 'text' })).data).toContain('plant_store_log_head ');
};
