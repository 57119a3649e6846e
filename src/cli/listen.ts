/** A receiver of webhooks for local work, and an example of the checks that a receiver makes. */
import type { Command } from 'commander';
import { showInvisible } from '../base/printable.ts';
import { stopSignal } from '../base/signal.ts';
import { isSecret, isSignedWith, secretWords, toleranceSeconds } from '../base/signature.ts';
import type { Flags } from '../config/config.ts';
import { readBytes } from '../http/body.ts';
import { toResponse } from '../http/response.ts';
import { listen } from '../http/server.ts';
import type { Context } from './context.ts';
import { loadConfig } from './load-config.ts';
import { openLog } from './log.ts';

export const addListen = (program: Command, context: Context): void => {
  program
    .command('listen')
    .description(
      'run a receiver of webhooks: verify each message, print it on one line, and respond 204, or 401 if the signature is invalid',
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on; 0 picks a free one', '4000')
    .option('--secret <secret>', 'secret of the webhook (default: WEBHOOK_SECRET, which ps does not show)')
    .action((flags, command) => receiveWebhooks(flags, command, context));
};

const receiveWebhooks = async (
  { secret: given, ...flags }: Flags & { secret?: string },
  command: Command,
  { env, stderr, printRows, printMessage }: Context,
): Promise<void> => {
  // The parser of an option would print the secret in its error.
  if (given !== undefined && !isSecret(given))
    command.error(`error: --secret must be ${secretWords}.${showInvisible(given)}`);
  const config = await loadConfig(flags, env);
  const { host, port, webhookSecret } = config;
  const secret = given ?? webhookSecret;
  const receive = async (request: Request): Promise<Response> => {
    const body = await readBytes(request, request.headers.get('content-length') ?? undefined);
    const verdict = secret === undefined ? 'not verified' : judge(secret, request.headers, body, new Date());
    const id = request.headers.get('webhook-id') ?? '-';
    printRows([[new Date().toISOString(), verdict, id, new TextDecoder().decode(body)]]);
    return new Response(null, { status: verdict.startsWith('REFUSED') ? 401 : 204 });
  };
  const server = await listen({
    host,
    port,
    log: await openLog(config, stderr),
    fetch: (request) => receive(request).catch(toResponse),
  });
  printMessage(
    `Listening on ${server.url}${secret === undefined ? '. Signatures are not verified without a secret' : ''}.`,
  );
  await stopSignal();
  await server.stop({ graceMs: 1000 });
};

/** Standard Webhooks asks a receiver to check all three headers, the time, and the signature of the exact bytes. */
const judge = (secret: string, headers: Headers, body: Uint8Array, now: Date): string => {
  const id = headers.get('webhook-id');
  const timestamp = Number(headers.get('webhook-timestamp') ?? Number.NaN);
  const signatures = headers.get('webhook-signature');
  if (id === null || signatures === null || !Number.isSafeInteger(timestamp)) return 'REFUSED: not signed';
  if (Math.abs(now.getTime() / 1000 - timestamp) > toleranceSeconds) return 'REFUSED: timestamp too old or too new';
  return isSignedWith(secret, signatures, { id, timestamp, body }) ? 'verified' : 'REFUSED: wrong signature';
};
