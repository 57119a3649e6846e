/** Long reads take turns, and let other requests go first. */
import { beforeEach, describe, expect, test } from 'bun:test';
import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../../src/base/app-error.ts';
import { createLongReads, stepRowsMax } from '../../src/http/long-reads.ts';
import { pageResponse } from '../../src/http/paging.ts';
import { scannedInStep } from '../../src/plants/paging.ts';
import { createTestApp, jsonOf, type TestApp } from '../support/app/app.ts';
import { onBothEngines } from '../support/store/engines.ts';

describe('the steps of long reads', () => {
  /** A read of so many steps, which records its name at each. */
  const readSteps = async (reads: ReturnType<typeof createLongReads>, name: string, steps: number, log: string[]) => {
    using reading = reads.begin(steps * stepRowsMax);
    for (let step = 0; step < steps; step += 1) await reading.step(stepRowsMax, async () => void log.push(name));
  };

  test('a turn of the event loop has only so many, and reads take turns in the order in which they began', async () => {
    const reads = createLongReads({ rowsAtOnceMax: 2 * stepRowsMax });
    const log: string[] = [];
    const all = ['a', 'b', 'c', 'd'].map((name) => readSteps(reads, name, 2, log));
    const perTurn: number[] = [];
    while (log.length < 8) {
      perTurn.push(log.length);
      await turn();
    }
    await Promise.all(all);
    expect(log.join('')).toBe('abcdabcd');
    expect(perTurn.every((count, index) => index === 0 || count - Number(perTurn[index - 1]) <= 2)).toBe(true);
    expect(perTurn[0]).toBe(2);
  });

  test('a short read does not wait for them, nor behind them', async () => {
    const reads = createLongReads({ rowsAtOnceMax: stepRowsMax });
    const log: string[] = [];
    const all = ['a', 'b'].map((name) => readSteps(reads, name, 2, log));
    using reading = reads.begin(100);
    await reading.step(100, async () => void log.push('short'));
    expect(log).toEqual(['a', 'short']);
    await Promise.all(all);
    expect(log).toEqual(['a', 'short', 'b', 'a', 'b']);
  });

  test('a step that looks at more rows than all may waits until no other is in progress', async () => {
    const reads = createLongReads({ rowsAtOnceMax: 500 });
    const log: string[] = [];
    await Promise.all([readSteps(reads, 'a', 2, log), readSteps(reads, 'b', 1, log)]);
    expect(log).toEqual(['a', 'b', 'a']);
  });

  test('reads that may look at too many rows in all are refused at once, until others have ended', async () => {
    const reads = createLongReads({ rowsInAllMax: 3 * stepRowsMax });
    const log: string[] = [];
    const first = readSteps(reads, 'a', 2, log);
    expect(() => reads.begin(2 * stepRowsMax)).toThrow(AppError);
    reads.begin(stepRowsMax)[Symbol.dispose]();
    await first;
    await readSteps(reads, 'b', 2, log);
    expect(log).toEqual(['a', 'a', 'b', 'b']);
  });

  test('a step that fails, and a read that ends early, leave room for others', async () => {
    const reads = createLongReads({ rowsAtOnceMax: stepRowsMax, rowsInAllMax: stepRowsMax });
    for (let count = 0; count < 3; count += 1) {
      using reading = reads.begin(stepRowsMax);
      const failed = reading.step(stepRowsMax, () => Promise.reject(new Error('no row')));
      await expect(failed).rejects.toThrow('no row');
    }
    const log: string[] = [];
    await readSteps(reads, 'a', 1, log);
    expect(log).toEqual(['a']);
  });
});

describe('the steps of a page', () => {
  const query = { limit: 1000, after: undefined };
  const empty = { json: Buffer.from('[]'), end: 'next', items: 0 };

  test('of a search are limited, and the page ends with a link', async () => {
    let steps = 0;
    const list = async () => {
      steps += 1;
      return empty;
    };
    const response = await pageResponse({ request: new Request('http://localhost'), query, list, scanSteps: 7 });
    expect(steps).toBe(7);
    expect(await response.text()).toBe('[]');
    expect(response.headers.get('link')).toBe('<?limit=1000&after=next>; rel="next"');
  });

  test('end when the client has disconnected', async () => {
    const client = new AbortController();
    let steps = 0;
    const list = async () => {
      steps += 1;
      if (steps === 2) client.abort();
      return empty;
    };
    await pageResponse({ request: client, query, list, scanSteps: 7 });
    expect(steps).toBe(2);
  });

  test('have few items if each costs many rows', async () => {
    const limits: number[] = [];
    const list = async (limit: number) => {
      limits.push(limit);
      return { ...empty, items: limit };
    };
    await pageResponse({
      request: new Request('http://localhost'),
      query: { ...query, limit: 50 },
      list,
      rowsOfItem: 50,
    });
    expect(limits).toEqual([20, 20, 10]);
  });
});

onBothEngines(() => {
  let app: TestApp;
  const plants = 3 * scannedInStep('id');

  beforeEach(async () => {
    app = await createTestApp();
    await app.store.plants.putAll(async (put) => {
      for (let start = 1; start <= plants; start += 1000)
        await put(
          Array.from({ length: 1000 }, (_, index) => ({ id: BigInt(start + index), name: 'n', tag: 't' })),
          'leave',
        );
    });
  });

  /** Sends requests, and returns the paths in the order in which they are answered. */
  const order = async (paths: readonly string[]): Promise<string[]> => {
    const ended: string[] = [];
    await Promise.all(
      paths.map(async (path) => {
        const response = await app.send('GET', path);
        expect([path, response.status]).toEqual([path, 200]);
        ended.push(path);
      }),
    );
    return ended;
  };

  test.each([
    ['/plants?name=zzz&limit=1000'],
    ['/plants?name=zzz&tag=t'],
    ['/plants?tag=a&tag=b&name=zzz'],
    ['/plants?tag=none&sort=-createdAt'],
    ['/plants?sort=createdAt&limit=1000'],
    ['/plants?limit=1000'],
    ['/plants?tag=t&tag=u&limit=500&count=true'],
    ['/events?type=plant.created&limit=1000'],
  ])('beside many requests for %s, a get and a page of the usual size are answered first', async (path) => {
    const ended = await order([...Array<string>(20).fill(path), '/plants/1', '/plants?limit=1']);
    // On PostgreSQL, a few of the others may be answered before the responses of the server arrive.
    for (const single of ['/plants/1', '/plants?limit=1']) expect(ended.indexOf(single)).toBeLessThan(6);
  });

  test('a search that has fewer steps ends before those that began earlier', async () => {
    const first = await app.send('GET', '/plants?limit=1');
    const after = /after=([^>&]+)/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const long = `/plants?name=zzz&after=${after}`;
    // Nothing comes behind the last plant.
    const short = '/plants?name=zzz&sort=-id&tag=none';
    const ended = await order([...Array<string>(10).fill(long), short]);
    expect(ended[0]).toBe(short);
  });

  test.each(['/plants?name=zzz&limit=1000', '/deliveries?state=failed&limit=1000'])(
    'of %s, those beyond the maximum of a process get 503 at once, while the others and single gets go on',
    async (path) => {
      const ended: string[] = [];
      const send = async (path: string): Promise<Response> => {
        const response = await app.send('GET', path);
        ended.push(`${path} ${response.status}`);
        return response;
      };
      const searches = Promise.all(Array.from({ length: 210 }, () => send(path)));
      const get = await send('/plants/1');
      expect(get.status).toBe(200);
      const responses = await searches;
      const refused = responses.filter(({ status }) => status === 503);
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(200);
      expect(refused).toHaveLength(10);
      for (const response of refused) {
        expect(response.headers.get('retry-after')).toBe('1');
        expect(await jsonOf(response)).toEqual({
          error: 50300,
          message: 'Too many long lists and searches are being read.',
        });
      }
      // Some of the others may have ended before all requests had arrived.
      const lastOf = (status: number): number => ended.lastIndexOf(`${path} ${status}`);
      expect(lastOf(503)).toBeLessThan(lastOf(200) - 50);
      expect((await app.send('GET', path)).status).toBe(200);
    },
  );
});
