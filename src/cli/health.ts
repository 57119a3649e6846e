/** For containers, which have no curl: the health check of `deploy/Dockerfile`. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { Command } from 'commander';
import { OperatorError } from '../base/error.ts';
import { toUrlHost } from '../base/host.ts';
import type { Flags } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import type { Context } from './context.ts';
import { loadConfig } from './load-config.ts';
import { defaultOf } from './options.ts';

export const addHealth = (program: Command, context: Context): void => {
  program
    .command('health')
    .description('check a running service with GET /healthz; exit code 0 if it responds with 200, else 1')
    .option('--host <host>', `address of the service ${defaultOf(settings.host)}`)
    .option('--port <port>', `port of the service ${defaultOf(settings.port)}`)
    .action((flags) => checkHealth(flags, context));
};

/**
 * Throws OperatorError if there is no response in time, or not 200. It does not request `/readyz`: a container that is not healthy
 * is restarted, and a restart does not repair a database.
 */
const checkHealth = async (flags: Flags, { env, printLines }: Context): Promise<void> => {
  const { host, port } = await loadConfig(flags, env);
  const url = `http://${toUrlHost(host)}:${port}/healthz`;
  // Not by `fetch`, which would use a proxy of the environment on Deno and Node.
  const request = get(url, { agent: new Agent({ proxyEnv: {} }), signal: AbortSignal.timeout(timeoutMs) });
  const [response]: IncomingMessage[] = await once(request, 'response').catch((cause) => {
    throw new OperatorError(`No response from ${url}.`, { cause });
  });
  request.destroy();
  const status = response?.statusCode;
  if (status !== 200) throw new OperatorError(`${url} responded with status ${status}.`);
  printLines(['ok']);
};

const timeoutMs = 2000;
