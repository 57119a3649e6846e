import { runProgram, startServer } from '../../support/programs/process.ts';
import { followLive } from '../../support/streams/live-reader.ts';
import { openRawStream } from '../../support/streams/raw-stream.ts';
import { lostMs } from '../support/comes-true.ts';
import { createDatabase } from '../support/database.ts';
import type { Verdict } from '../support/verdict.ts';

/** A token is checked at least every 30 seconds. */
const endMsMax = 35_000;

interface TokenOptions {
  readonly database: string;
  readonly expect: Verdict['expect'];
  readonly expectWithin: Verdict['expectWithin'];
}

/** Revokes the token of one stream, and lets that of another expire: each must end, while a third continues. Resolves to rows. */
export const endTokens = async ({ database, expect, expectWithin }: TokenOptions) => {
  const headers = await createDatabase(database);
  await using server = await startServer(database);
  const command = async (...args: string[]): Promise<string> =>
    (await runProgram(['token', ...args, '--database', database])).stdout.trim();
  const openWith = async (token: string) => {
    const request = { port: server.port, headers: { authorization: `Bearer ${token}` } };
    const stream = await openRawStream(request);
    expect(stream.status === 200, `a stream got status ${stream.status}`);
    return { request, stream };
  };
  const reader = followLive({ port: () => server.port, headers });
  const toRevoke = await openWith(await command('create', '--name', 'revoked'));
  const toExpire = await openWith(await command('create', '--name', 'expires', '--expires', '5s'));
  const [line = ''] = (await command('list')).split('\n').filter((one) => one.includes('revoked'));
  await command('revoke', line.split(/\s/)[0] ?? '');
  const revokedAtMs = performance.now();

  const rows = await Promise.all(
    Object.entries({ revoked: toRevoke, expired: toExpire }).map(async ([token, { request, stream }]) => {
      const end = await Promise.race([stream.ended, Bun.sleep(endMsMax + lostMs)]);
      const endMs = performance.now() - revokedAtMs;
      expectWithin(endMsMax, `the end of the stream of a token that is ${token}`, { fromMs: revokedAtMs });
      expect(end === 'complete', `the stream of a token that is ${token} has the end: ${end}`);
      const { status } = await openRawStream(request);
      expect(status === 401, `a token that is ${token} got status ${status}`);
      return { token, 'its stream ended after, s': Math.round(endMs / 100) / 10 };
    }),
  );
  expect(reader.streams() === 1, 'the stream of a valid token ended');
  reader.stop();
  return rows;
};
