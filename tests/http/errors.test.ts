import { beforeAll, describe, expect, test } from 'bun:test';
import { AppError, diskFailed, unwritable } from '../../src/base/app-error.ts';
import type { Store } from '../../src/store/store.ts';
import { create, createTestApp, errorOf, type TestApp } from '../support/app/app.ts';
import { onBothEngines, openTestStore } from '../support/store/engines.ts';

let app: TestApp;
onBothEngines(() => {
  beforeAll(async () => {
    app = await createTestApp();
  });

  describe('an unsupported method is refused', () => {
    test.each([
      ['PUT', '/plants', 'GET, HEAD, OPTIONS, POST'],
      ['DELETE', '/plants', 'GET, HEAD, OPTIONS, POST'],
      ['POST', '/plants/1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
      ['POST', '/plants/not-an-id', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
      ['POST', '/events', 'GET, HEAD, OPTIONS'],
      ['PUT', '/webhooks', 'GET, HEAD, OPTIONS, POST'],
      ['PATCH', '/webhooks/x', 'DELETE, GET, HEAD, OPTIONS'],
      ['GET', '/webhooks/x/rotate', 'OPTIONS, POST'],
      ['GET', '/webhooks/x/test', 'OPTIONS, POST'],
      ['POST', '/webhooks/x/deliveries', 'GET, HEAD, OPTIONS'],
      ['GET', '/webhooks/x/deliveries/y/redeliver', 'OPTIONS, POST'],
      ['POST', '/token', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ])('%s %s is refused, and Allow lists the methods that the path supports', async (method, path, allow) => {
      const response = await app.send(method, path);
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe(allow);
      expect(await errorOf(response)).toBe(40500);
    });

    test('the response to OPTIONS lists the methods that the path supports', async () => {
      const response = await app.send('OPTIONS', '/plants');
      expect(response.status).toBe(204);
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
      expect(await response.text()).toBe('');
    });
  });

  test.each([
    '/nope',
    '/plants/',
    '/plants/1/',
    '/plants/1/2',
    '/Plants',
    '//plants',
    '/plan%74s',
    '/healthz/',
    '/%zz',
    '/plants%2F1',
  ])('the path %s gets 40401', async (path) => {
    expect(await errorOf(await app.send('GET', path))).toBe(40401);
  });

  /** A real store that fails to create plants and to respond to a ping. */
  const broken = async (error: unknown): Promise<Store> => {
    const store = await openTestStore();
    const fail = () => Promise.reject(error);
    return { ...store, plants: { ...store.plants, create: fail }, ping: fail };
  };

  describe('a defect', () => {
    test.each<[string, unknown]>([
      ['an error', new Error('secret detail')],
      ['an error with a status', Object.assign(new Error('secret detail'), { status: 418, code: 'NOT_FOUND' })],
      ['an error with a response', Object.assign(new Error('x'), { toResponse: () => new Response('secret detail') })],
      ['an error without a message', new Error()],
      [
        'an error whose message throws',
        Object.defineProperty(new Error(), 'message', { get: () => fail('secret detail') }),
      ],
      ['a string', 'secret detail'],
      ['undefined', undefined],
      ['null', null],
      ['a response', new Response('secret detail', { status: 418 })],
    ])('the response to a request in which a defect throws %s is 50000, without details', async (_what, thrown) => {
      const failingApp = await createTestApp({ store: await broken(thrown) });
      const response = await create(failingApp, '{"id":1,"name":"n"}');
      const text = await response.clone().text();
      expect(await errorOf(response)).toBe(50000);
      expect(text).not.toContain('secret');
    });

    const fail = (message: string): never => {
      throw new Error(message);
    };

    test('the response after a defect is 50000 even if the error cannot be inspected', async () => {
      const thrown = new Proxy(new Error('secret detail'), {
        get: () => fail('secret detail'),
        getPrototypeOf: () => fail('secret detail'),
      });
      const failingApp = await createTestApp({ store: await broken(thrown) });
      expect(await errorOf(await create(failingApp, '{"id":1,"name":"n"}'))).toBe(50000);
    });
  });

  test('a write and the readiness probe get 503 with Retry-After if the store is unavailable', async () => {
    const unavailable = await createTestApp({ store: await broken(new AppError(unwritable)) });
    for (const response of [
      await create(unavailable, '{"id":1,"name":"n"}'),
      await unavailable.send('GET', '/readyz'),
    ]) {
      expect(response.headers.get('retry-after')).toBe('1');
      expect(await errorOf(response)).toBe(50300);
    }
    expect((await unavailable.send('GET', '/healthz')).status).toBe(200);
  });

  test('a write with an unknown outcome gets 50301', async () => {
    const uncertain = await createTestApp({ store: await broken(new AppError(diskFailed)) });
    expect(await errorOf(await create(uncertain, '{"id":1,"name":"n"}'))).toBe(50301);
  });
});
