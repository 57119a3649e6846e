/** CORS for pages from another origin, and `GET /token`. */
import { describe, expect, test } from 'bun:test';
import { readConfig } from '../../src/config/config.ts';
import { createTestApp, giveToken } from '../support/app/app.ts';

const origin = 'https://garden.example';
const preflightOfPatch = {
  origin,
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'authorization',
};

describe('CORS', () => {
  test('CORS is off by default', async () => {
    const app = await createTestApp();
    const response = await app.send('GET', '/plants', { headers: { origin } });
    expect([...response.headers.keys()].filter((name) => /access-control|vary/.test(name))).toEqual([]);
    expect((await app.send('OPTIONS', '/plants', { headers: preflightOfPatch, authorization: null })).status).toBe(401);
  });

  test.each([
    ['for listed origins', `https://other.example,${origin}`, origin, 'Origin'],
    ['for any origin', '*', '*', null],
  ])(
    'CORS %s accepts a preflight without a token, and lets the page read every response',
    async (_what, setting, allowed, vary) => {
      const app = await createTestApp({ config: readConfig({}, { CORS_ORIGINS: setting }) });
      const preflight = await app.send('OPTIONS', '/plants/1', { headers: preflightOfPatch, authorization: null });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe(allowed);
      expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
      for (const name of [
        'Authorization',
        'Content-Type',
        'If-Match',
        'If-None-Match',
        'Last-Event-ID',
        'Traceparent',
        'X-Request-Id',
      ]) {
        expect(preflight.headers.get('access-control-allow-headers')).toContain(name);
      }
      expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);

      for (const [path, authorization, ...otherVary] of [
        ['/plants', `Bearer ${app.token}`],
        ['/plants', null],
        ['/nope', `Bearer ${app.token}`],
        ['/openapi.json', null],
        ['/', null, 'accept'],
      ] as const) {
        const response = await app.send('GET', path, { authorization, headers: { origin } });
        expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
        expect(response.headers.get('vary')).toBe([...otherVary, ...(vary === null ? [] : [vary])].join(', ') || null);
        for (const name of ['ETag', 'Last-Event-ID', 'Link', 'Location', 'Retry-After', 'X-Request-Id']) {
          expect(response.headers.get('access-control-expose-headers')).toContain(name);
        }
      }
    },
  );

  test('CORS is off for an origin that is not listed', async () => {
    const app = await createTestApp({ config: readConfig({}, { CORS_ORIGINS: 'https://other.example' }) });
    expect((await app.send('OPTIONS', '/plants', { headers: preflightOfPatch, authorization: null })).status).toBe(401);
    const response = await app.send('GET', '/plants', { headers: { origin } });
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    expect(response.headers.get('vary')).toBe('Origin');
  });

  const others = [
    'null',
    '',
    'https://garden.example',
    'http://localhost.garden.example',
    'http://garden.example:5173',
    'http://127.0.0.1.garden.example',
    'http://localhost@garden.example',
    'http://192.168.0.1:3000',
    'http://0.0.0.0:3000',
    'http://localhost:99999',
    'http://localhost/',
    'http://127.1',
    'ftp://localhost',
    'file://localhost',
    'http://localhost, http://localhost',
  ];
  test('CORS for loopback origins allows pages from this machine on any port, and no other one', async () => {
    const app = await createTestApp({ config: readConfig({}, { CORS_ORIGINS: 'loopback' }) });
    for (const [origins, isAllowed] of [
      [
        [
          'http://localhost',
          'https://localhost:5173',
          'http://127.0.0.1:3000',
          'http://127.8.9.10:81',
          'https://[::1]',
          'http://[::1]:5173',
        ],
        true,
      ],
      [others, false],
    ] as const) {
      for (const one of origins) {
        const headers = { ...preflightOfPatch, origin: one };
        const preflight = await app.send('OPTIONS', '/plants/1', { headers, authorization: null });
        expect([one, preflight.status]).toEqual([one, isAllowed ? 204 : 401]);
        const { headers: sent } = await app.send('GET', '/plants', { headers: { origin: one } });
        for (const response of [preflight.headers, sent]) {
          expect(response.get('access-control-allow-origin')).toBe(isAllowed ? one : null);
          expect(response.get('vary')).toBe('Origin');
        }
      }
    }
  });

  test('loopback origins and others can be allowed together', async () => {
    const app = await createTestApp({ config: readConfig({}, { CORS_ORIGINS: `loopback, ${origin}` }) });
    for (const [one, allowed] of [
      [origin, origin],
      ['http://[::1]:5173', 'http://[::1]:5173'],
      ['https://other.example', null],
    ] as const) {
      const response = await app.send('GET', '/plants', { headers: { origin: one } });
      expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
    }
  });

  test('an OPTIONS request that is not a preflight needs a token', async () => {
    const app = await createTestApp({ config: readConfig({}, { CORS_ORIGINS: '*' }) });
    expect((await app.send('OPTIONS', '/plants', { headers: { origin }, authorization: null })).status).toBe(401);
    expect((await app.send('OPTIONS', '/plants', { headers: { origin } })).headers.get('allow')).toBe(
      'GET, HEAD, OPTIONS, POST',
    );
  });
});

describe('GET /token', () => {
  test('GET /token returns the name, scopes and expiry time of the current token, and requires no scope', async () => {
    const app = await createTestApp();
    const expiresAt = '2999-01-01T00:00:00.000Z';
    const token = await giveToken(app.store, { name: 'shed', scopes: ['webhooks:read'], expiresAt });
    const response = await app.send('GET', '/token', { authorization: `Bearer ${token}` });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ name: 'shed', scopes: ['webhooks:read'], expiresAt });
  });

  test('GET /token returns no expiry time if the token does not expire', async () => {
    const app = await createTestApp();
    expect(await (await app.send('GET', '/token')).text()).not.toContain('expiresAt');
  });
});
