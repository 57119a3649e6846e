/** Schemathesis reports the wrong responses of a service, as described in FEATURES.md. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { document } from '../tests/support/document.ts';
import { temporaryFolder } from '../tests/support/folder.ts';

const schemathesis = join(import.meta.dir, '.venv/bin/schemathesis');

const time = '2026-01-01T00:00:00.000Z';
const plant = { id: 1, name: 'n', createdAt: time, updatedAt: time };
const event = { eventId: 'evt_1_0000000000000000', sequence: 1, timestamp: time, id: 1, name: 'n' };

/** A wrong response for each path. */
const replies: Readonly<Record<string, readonly [status: number, body: unknown]>> = {
  '/plants': [200, [{ ...plant, colour: 'green' }]],
  '/events': [200, [{ ...event, type: 'plant.watered' }]],
  '/webhooks': [401, { error: 40199, message: 'm' }],
};

const service = () =>
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === '/openapi.json') return Response.json(document);
      const [status, body] = replies[pathname] ?? [404, {}];
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    },
  });

// Skipped without Python. `bun run python` installs it.
describe.skipIf(!existsSync(schemathesis))('Schemathesis', () => {
  let output: string;
  beforeAll(async () => {
    using folder = temporaryFolder();
    await using server = service();
    const paths = Object.keys(replies).flatMap((path) => ['--include-path', path]);
    const options = ['--include-method', 'GET', ...paths, '--phases', 'coverage', '--seed', '1', '--no-color'];
    const command = [schemathesis, 'run', `${server.url.origin}/openapi.json`, ...options];
    output = await Bun.spawn(command, { cwd: folder.path, stdout: 'pipe' }).stdout.text();
  }, 120_000);

  test.each([
    ['a member that unevaluatedProperties excludes', '/plants', 'Unevaluated properties are not allowed'],
    [
      'an unknown const of a discriminated oneOf',
      '/events',
      "not valid under any of the schemas listed in the 'oneOf'",
    ],
    [
      'an unknown number of an annotated enumeration',
      '/webhooks',
      '40199 is not valid under any of the schemas listed',
    ],
    ['a response without a required header, which is a component', '/plants', '`X-Request-Id`'],
  ])('Schemathesis reports %s', (_what, path, message) => {
    const [, part = ''] = output.split(new RegExp(`^_+ GET ${path} _+$`, 'm'));
    expect(part.split(/^_+ GET/m, 1)[0]).toContain(message);
  });
});
