/** Apps with a rate limit, and the rate limit fields of their responses. */
import { parseList } from 'structured-headers';
import { readConfig } from '../../../src/config/config.ts';
import { createTestApp, type TestApp } from './app.ts';

export interface LimitedApp extends TestApp {
  /** Its clock, which advances only when the test sets it. */
  readonly time: { nowMs: number };
  /** The client address of its requests. */
  readonly peer: { address: string };
}

export const createLimitedApp = async (rate: string, settings: Record<string, string> = {}): Promise<LimitedApp> => {
  const time = { nowMs: 0.9 };
  const peer = { address: '203.0.113.1' };
  const app = await createTestApp({
    config: readConfig({}, { RATE_LIMIT: rate, ...settings }),
    clock: { nowMs: () => time.nowMs },
    peerOf: () => peer.address,
  });
  return { ...app, time, peer };
};

/** The fields of a response, read by a parser of RFC 9651: each policy with its parameters. */
export const fieldsOf = ({ headers }: Response) =>
  ['RateLimit-Policy', 'RateLimit'].map((name) =>
    parseList(headers.get(name) ?? '').map(([policy, parameters]) => [policy, Object.fromEntries(parameters)]),
  );

/** An Authorization header that fails. */
export const invalid = { authorization: 'Bearer x' };
