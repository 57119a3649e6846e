/** The complete program, with and without tracing. */
import { expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { printingModules, stopForModules } from '../support/programs/loaded-modules.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { createCollector } from '../support/telemetry/collector.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';

/** Stops the program, and returns the modules of OpenTelemetry that it has loaded. */
const stop = async (server: RunningServer): Promise<string[]> =>
  (await stopForModules(server)).filter((path) => /@opentelemetry|src\/tracing/.test(path));

test('OpenTelemetry is not loaded if no collector is configured', async () => {
  using folder = temporaryFolder();
  await using server = await startServer(folder.file('p.sqlite'), {
    program: printingModules,
    env: { OTEL_SERVICE_NAME: 'plants' },
  });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(await stop(server)).toEqual([]);
});

test('a busy collector affects only the log, and spans are not sent through a proxy', async () => {
  using folder = temporaryFolder();
  using proxy = createReceiver();
  using collector = createCollector(() => new Response('', { status: 503, headers: { 'retry-after': '0' } }));
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, HTTP_PROXY: proxy.url, http_proxy: proxy.url };
  await using server = await startServer(folder.file('p.sqlite'), { program: printingModules, env });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await stop(server)).length).toBeGreaterThan(100);
  expect(collector.spans.map(({ name }) => name)).toContain('GET /healthz');
  expect(proxy.received).toEqual([]);
  const messages = new Set(server.log.map(({ msg }) => String(msg)));
  const known = ['migrated', 'ready', 'request', 'spans lost', 'stopped', 'stopping', 'warning'];
  expect([...messages].sort()).toEqual(known);
});

/** An ExportTraceServiceResponse that rejects a span, with a text. */
const partialSuccess = Buffer.from('\n\n\b\x01\x12\x06hidden');

test.each([
  ['an error', { status: 400 }, 'status 400'],
  ['a partial success', { headers: { 'content-type': 'application/x-protobuf' } }, undefined],
])('at every level, the log has no text of a collector that responds with %s', async (_, init, reason) => {
  using folder = temporaryFolder();
  using collector = createCollector(() => new Response(partialSuccess, init));
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'trace' };
  await using server = await startServer(folder.file('p.sqlite'), { env });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  server.kill();
  expect(await server.exited).toBe(0);
  expect(collector.requests.length).toBeGreaterThan(0);
  expect(server.log.find(({ msg }) => msg === 'spans lost')?.['reason']).toBe(reason);
  expect(JSON.stringify(server.log)).not.toContain('hidden');
});
