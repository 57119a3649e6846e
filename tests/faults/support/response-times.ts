import type { RunningServer } from '../../support/programs/process.ts';
import type { Verdict } from './verdict.ts';

export interface Times {
  readonly medianMs: number;
  readonly slowestMs: number;
}

interface TimesOptions {
  readonly server: Pick<RunningServer, 'url'>;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests begin for so long, and at least so many of each kind. */
  readonly measuredMs: number;
  readonly least?: number;
  readonly expect: Verdict['expect'];
}

/** The times of requests that follow each other, of each kind. Plant 1 must exist. Each request must succeed. */
export const measureTimes = async ({ server, headers, measuredMs, least = 1, expect }: TimesOptions) => {
  const times: Record<string, number[]> = { get: [], create: [], health: [] };
  const endsAtMs = performance.now() + measuredMs;
  const time = async (kind: string, path: string, init: RequestInit = {}) => {
    const sentAtMs = performance.now();
    const response = await fetch(`${server.url}${path}`, { headers, ...init });
    await response.arrayBuffer();
    times[kind]?.push(performance.now() - sentAtMs);
    expect(response.status === 200, `${kind}: status ${response.status}`);
  };
  for (let id = -1; -id <= least || performance.now() < endsAtMs; id -= 1) {
    await time('get', '/plants/1');
    await time('health', '/healthz');
    await time('create', '/plants', { method: 'POST', body: `{"id":${id - Date.now()},"name":"n"}` });
    await Bun.sleep(5);
  }
  return Object.fromEntries(
    Object.entries(times).map(([kind, all]): [string, Times] => {
      all.sort((a, b) => a - b);
      return [kind, { medianMs: all[all.length >> 1] ?? 0, slowestMs: all.at(-1) ?? 0 }];
    }),
  );
};

/** The cells of a table. */
export const toCells = (times: Readonly<Record<string, Times>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(times).map(([kind, { medianMs, slowestMs }]) => [
      `${kind}, ms`,
      `${rounded(medianMs)} to ${rounded(slowestMs)}`,
    ]),
  );

const rounded = (ms: number): number => Math.round(10 * ms) / 10;
