/** A receiver of webhooks, to see them arrive, and to show what a receiver has to check before it believes one. */
import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import { isSecret, isSignedWith, toleranceSeconds } from '../domain/signature.ts';
import { readBytes } from '../http/body.ts';
import { listen as listenOn } from '../http/server.ts';
import { createLog } from '../log.ts';
import { printLines } from './output.ts';

export const addListen = (program: Command): void => {
  program
    .command('listen')
    .description(
      'receive webhooks: verify each, print it on one line, and answer 204, or 401 when it is not to be believed',
    )
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on, 0 for any free one', '4000')
    .option('--secret <secret>', 'as webhook add prints it; without it nothing is verified', parseSecret)
    .action(listen);
};

interface ListenFlags {
  readonly host: string;
  readonly port: string;
  readonly secret?: string;
}

/** Resolves when a signal has ended it. */
const listen = async ({ secret, ...flags }: ListenFlags): Promise<void> => {
  const { host, port, logLevel } = readConfig(flags);
  const server = listenOn({
    host,
    port,
    log: createLog(logLevel),
    fetch: async (request) => {
      const body = new TextDecoder().decode(await readBytes(request));
      const verdict = secret === undefined ? unverified : judge(secret, request.headers, body, new Date());
      printLines([
        [new Date().toISOString(), verdict, request.headers.get('webhook-id') ?? '-', onOneLine(body)].join('\t'),
      ]);
      return new Response(null, { status: verdict === verified || verdict === unverified ? 204 : 401 });
    },
  });
  console.error(`Listening on ${server.url}${secret === undefined ? '; nothing is verified without --secret' : ''}.`);
  await stopSignal();
  await server.stop(graceMs);
};

const verified = 'verified';
const unverified = 'not verified';
const graceMs = 1000;

/** What Standard Webhooks asks of a receiver: all three headers, a recent time, and a signature that fits. */
const judge = (secret: string, headers: Headers, body: string, now: Date): string => {
  const id = headers.get('webhook-id');
  const timestamp = Number(headers.get('webhook-timestamp') ?? Number.NaN);
  const signatures = headers.get('webhook-signature');
  if (id === null || signatures === null || !Number.isSafeInteger(timestamp)) return 'REFUSED: not signed';
  if (Math.abs(now.getTime() / 1000 - timestamp) > toleranceSeconds) return 'REFUSED: too old, or of the future';
  return isSignedWith(secret, signatures, { id, timestamp, body }) ? verified : 'REFUSED: wrong signature';
};

/** As it came, unless it would break the line or reach into the terminal. */
const onOneLine = (body: string): string => (/\p{Cc}/u.test(body) ? JSON.stringify(body) : body);

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

const parseSecret = (text: string): string => {
  if (!isSecret(text)) throw new InvalidArgumentError('It must be whsec_ and 24 to 64 bytes in base64.');
  return text;
};
