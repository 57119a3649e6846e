/** The command `plants`, and `webhook deliveries` without a webhook. */
import { expect, test } from 'bun:test';
import { withStore } from '../../src/cli/database.ts';
import type { Attempt } from '../../src/deliveries/delivery.ts';
import { eventIdOf, plantEventTypes } from '../../src/events/event.ts';
import type { ImportedPlant } from '../../src/plants/import.ts';
import type { Store } from '../../src/store/store.ts';
import { configOf } from '../support/app/config.ts';
import { runCommand } from '../support/programs/command.ts';
import { behaviourEngines } from '../support/store/engines.ts';
import { attemptNew } from '../support/webhooks/attempts.ts';

const inStore = async <Result>(database: string, use: (store: Store) => Promise<Result>): Promise<Result> =>
  withStore(await configOf(database), {}, use);

const time = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n).toISOString();
const hostile = 'a\tb\r\n\u001b[31m\u202e';
const escaped = String.raw`a\u0009b\u000d\u000a\u001b[31m\u202e`;

const plants: readonly ImportedPlant[] = [
  { id: -(2n ** 63n), name: 'Moss', tag: '', createdAt: time(3) },
  { id: 1n, name: hostile, tag: hostile, createdAt: time(2) },
  { id: 2n ** 63n - 1n, name: 'Monstera', tag: 'tropical', createdAt: time(1) },
  { id: 2n, name: 'moss', createdAt: time(4) },
];

test.each(behaviourEngines)('on $name, plants prints the plants of a list, escaped', async ({ createDatabase }) => {
  await using database = await createDatabase();
  await inStore(database.url, (store) => store.plants.putAll((put) => put(plants, 'leave')));
  const printed = (...ids: bigint[]): string =>
    ids
      .flatMap((id) => plants.filter((plant) => plant.id === id))
      .map(({ id, name, tag = '-', createdAt }) => {
        const columns = [`${id}`, name, tag, `${createdAt}`, `${createdAt}`];
        return `${columns.map((column) => (column === hostile ? escaped : column)).join('\t')}\n`;
      })
      .join('');
  const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n];
  const listed: [string[], bigint[]][] = [
    [[], [min, 1n, 2n, max]],
    [
      ['--limit', '2'],
      [min, 1n],
    ],
    [['--sort', '-id', '--limit', '1'], [max]],
    [
      ['--sort', '-createdAt'],
      [2n, min, 1n, max],
    ],
    [
      ['--name', 'Mo'],
      [min, max],
    ],
    [
      ['--name', ''],
      [min, 1n, 2n, max],
    ],
    [
      ['--tag', 'tropical', '--tag', ''],
      [min, max],
    ],
    [['--tag', hostile], [1n]],
    [
      ['--search', 'MO'],
      [min, 2n, max],
    ],
    [
      ['--sort', 'name'],
      [max, min, 1n, 2n],
    ],
    [
      ['--sort', '-name', '--search', 'mo', '--limit', '2'],
      [2n, min],
    ],
    [['--sort', 'name', '--tag', 'tropical'], [max]],
    [['--name', 'Mon', '--tag', 'tropical', '--sort', 'createdAt'], [max]],
    [['--tag', 'none'], []],
  ];
  for (const [options, ids] of listed)
    expect(await runCommand(['plants', ...options, '--database', database.url])).toEqual({
      exitCode: 0,
      stdout: printed(...ids),
      stderr: '',
    });
});

test('plants goes on behind plants that do not fit, up to its limit', async () => {
  const [sqlite] = behaviourEngines;
  await using database = await (sqlite ?? expect.unreachable()).createDatabase();
  const many = Array.from({ length: 20_300 }, (_, n) => ({ id: BigInt(n), name: n >= 20_000 ? 'rare' : 'common' }));
  await inStore(database.url, (store) => store.plants.putAll((put) => put(many, 'leave')));
  const { stdout } = await runCommand(['plants', '--name', 'r', '--limit', '250', '--database', database.url]);
  expect(stdout.match(/\trare\t/g)).toHaveLength(250);
  expect(stdout).toStartWith('20000\t');
  const byName = (...args: string[]) => runCommand(['plants', '--sort', 'name', ...args, '--database', database.url]);
  expect((await byName('--search', 'RAR')).stdout.match(/\trare\t/g)).toHaveLength(100);
  expect(await byName()).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('--sort cannot be by name if more than 10,000 plants fit the filters'),
  });
});

test.each([
  [['--limit', '0'], 'It must be a number from 1 to 1000.'],
  [['--limit', '1001'], 'It must be a number from 1 to 1000.'],
  [['--sort', 'tag'], 'Allowed choices are id, -id, createdAt, -createdAt, name, -name.'],
  [['--search', 'n'.repeat(501)], 'It must be at most 500 characters.'],
  [['--name', 'n'.repeat(501)], 'It must be at most 500 characters.'],
  [['--tag', 't'.repeat(101)], 'It must be at most 100 characters.'],
  [Array.from({ length: 11 }, (_, n) => ['--tag', `${n}`]).flat(), 'At most 10 tags can be given.'],
])('plants %j is refused as wrong usage', async (args, message) => {
  const { exitCode, stderr } = await runCommand(['plants', ...args]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test.each(behaviourEngines)(
  'on $name, webhook deliveries without a webhook prints those of all, each after its webhook',
  async ({ createDatabase }) => {
    await using database = await createDatabase();
    const at = time(0);
    const attempts: Attempt[] = [
      { at, durationMs: 1, status: 500, excerpt: hostile },
      { at, durationMs: 1, status: 204 },
      { at, durationMs: 1, failure: 'timeout' },
    ];
    const lines = await inStore(database.url, async (store) => {
      const printed: string[] = [];
      for (const [index, attempt] of attempts.entries()) {
        const webhook = await store.webhooks.create({ url: 'https://a.test/', events: plantEventTypes, secret: 's' });
        await store.plants.create({ id: BigInt(index), name: 'n' });
        const [delivery] = await attemptNew(store, webhook, attempt);
        const { status = 'timeout', excerpt } = attempt;
        const state = status === 204 ? 'delivered' : 'failed';
        const id = delivery ? eventIdOf(delivery.event) : '';
        const columns = [webhook.id, id, 'plant.created', state, at, `${status}`, '-', excerpt ? escaped : '-'];
        printed.unshift(`${columns.join('\t')}\n`);
      }
      return printed;
    });
    const run = (...args: string[]) => runCommand(['webhook', 'deliveries', ...args, '--database', database.url]);
    const [timeout, delivered, refused] = lines;
    for (const [options, expected] of [
      [[], lines],
      [['--failed'], [timeout, refused]],
      [['--failed', '--limit', '1'], [timeout]],
      [['--state', 'delivered'], [delivered]],
      [['--state', 'pending'], []],
    ] satisfies [string[], (string | undefined)[]][])
      expect(await run(...options)).toEqual({ exitCode: 0, stdout: expected.join(''), stderr: '' });
    const [webhook = '', id = ''] = `${timeout}`.split('\t');
    const again = await runCommand(['webhook', 'redeliver', webhook, id, '--database', database.url]);
    expect(again.exitCode).toBe(0);
    expect((await run('--state', 'pending')).stdout).toStartWith(`${webhook}\t${id}\t`);
  },
);
