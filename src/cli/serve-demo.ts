import { OperatorError } from '../base/error.ts';
import { isLoopbackHost } from '../base/network.ts';
import { stopSignal } from '../base/signal.ts';
import { type DemoOptions, startDemo } from '../demo/demo.ts';
import { listen } from '../http/server.ts';
import { demoToken, readerToken } from '../tokens/sample.ts';
import type { Context } from './context.ts';
import { openMemory } from './database.ts';
import { buildOf } from './package.ts';

/** The time that a stop waits for requests and attempts in flight. */
const graceMs = 2000;

interface ServeDemoOptions extends Pick<DemoOptions, 'config' | 'log' | 'tracer' | 'isSending' | 'delayMs'> {
  readonly isAnywhere: boolean;
  readonly printNotice: Context['printNotice'];
}

/** Serves the demo until a signal stops it. Throws OperatorError for an address that others may reach, unless `isAnywhere`. */
export const serveDemo = async ({ isAnywhere, printNotice, ...options }: ServeDemoOptions): Promise<void> => {
  const { config, log, tracer } = options;
  const { host } = config;
  if (!isAnywhere && !isLoopbackHost(host))
    throw new OperatorError(
      `--demo listens on loopback addresses only, since its tokens are public. Use --demo-anywhere to listen on ${host}.`,
    );
  const stopped = stopSignal();
  const demo = await startDemo({
    ...options,
    build: buildOf(config),
    openStore: openMemory,
    peerOf: (request) => server.peerOf(request),
    isPending: (request) => server.isPending(request),
    limitTime: (request, seconds) => server.limitTime(request, seconds),
    serverUrl: () => server.url,
  });
  const server = await listen({ ...config, log, fetch: demo.fetch });
  log.info({ url: server.url, demo: true }, 'ready');
  printNotice(announcement(server.url));

  log.info({ signal: await stopped }, 'stopping');
  await demo.stop(server.stop({ delayMs: config.shutdownDelayMs, graceMs }), graceMs);
  await tracer?.stop();
  log.info('stopped');
};

const announcement = (url: string): string => `
Plant Store DEMO on ${url}. Its tokens are public, and nothing is stored.

  ${demoToken}   all scopes
  ${readerToken}   plants:read only

Read a plant:

curl -sS ${url}/plants/1 -H 'Authorization: Bearer ${demoToken}'

Receive webhooks in a browser: ${url}/inbox

Restore the data:

curl -sS -X POST ${url}/__demo/reset -H 'Authorization: Bearer ${demoToken}'
`;
