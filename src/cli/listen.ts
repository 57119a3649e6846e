/** A receiver of webhooks, to see them arrive, and to show what a receiver has to check before it believes one. */
import type { Command } from 'commander';
import { isSecret, isSignedWith, secretWords, toleranceSeconds } from '../base/signature.ts';
import { readConfig } from '../config.ts';
import { readBytes } from '../http/body.ts';
import { toResponse } from '../http/response.ts';
import { listen } from '../http/server.ts';
import { createLog } from '../log.ts';
import { printLines } from './output.ts';
import { stopSignal } from './signals.ts';

export const addListen = (program: Command): void => {
  program
    .command('listen')
    .description(
      'receive webhooks: verify each, print it on one line, and answer 204, or 401 when it is not to be believed',
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on, 0 for any free one', '4000')
    .option('--secret <secret>', 'as webhook add prints it (default: WEBHOOK_SECRET, which ps does not show)')
    .action(receiveWebhooks);
};

interface ListenFlags {
  readonly host: string;
  readonly port: string;
  readonly secret?: string;
}

/** Resolves when a signal has ended it. */
const receiveWebhooks = async ({ secret: given, ...flags }: ListenFlags, command: Command): Promise<void> => {
  // Not by the parser of the option, whose complaint would show the secret.
  if (given !== undefined && !isSecret(given)) command.error(`error: The secret must be ${secretWords}.`);
  const { host, port, logLevel, webhookSecret } = readConfig(flags);
  const secret = given ?? webhookSecret;
  const server = listen({
    host,
    port,
    log: createLog(logLevel),
    fetch: (request) => receive(request, secret).catch(toResponse),
  });
  console.error(`Listening on ${server.url}${secret === undefined ? '; nothing is verified without a secret' : ''}.`);
  await stopSignal();
  await server.stop(graceMs);
};

const receive = async (request: Request, secret: string | undefined): Promise<Response> => {
  const body = await readBytes(request);
  const verdict = secret === undefined ? unverified : judge(secret, request.headers, body, new Date());
  const id = request.headers.get('webhook-id') ?? '-';
  const columns = [new Date().toISOString(), verdict, printable(id), printable(new TextDecoder().decode(body))];
  printLines([columns.join('\t')]);
  return new Response(null, { status: verdict === verified || verdict === unverified ? 204 : 401 });
};

const verified = 'verified';
const unverified = 'not verified';
const graceMs = 1000;

/** What Standard Webhooks asks of a receiver: all three headers, a recent time, and a signature that fits the very bytes. */
const judge = (secret: string, headers: Headers, body: Uint8Array, now: Date): string => {
  const id = headers.get('webhook-id');
  const timestamp = Number(headers.get('webhook-timestamp') ?? Number.NaN);
  const signatures = headers.get('webhook-signature');
  if (id === null || signatures === null || !Number.isSafeInteger(timestamp)) return 'REFUSED: not signed';
  if (Math.abs(now.getTime() / 1000 - timestamp) > toleranceSeconds) return 'REFUSED: too old, or of the future';
  return isSignedWith(secret, signatures, { id, timestamp, body }) ? verified : 'REFUSED: wrong signature';
};

/** As it came, but for what would break the line, reach into the terminal or turn the text around. */
const printable = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
