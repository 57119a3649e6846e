/** The commands `webhook deliveries`, `webhook test` and `webhook redeliver`. */
import { expect, test } from 'bun:test';
import { noDelivery, noWebhook } from '../../src/base/app-error.ts';
import { withStore } from '../../src/cli/database.ts';
import type { Attempt, Delivery } from '../../src/deliveries/delivery.ts';
import { eventIdOf } from '../../src/events/event.ts';
import type { Store } from '../../src/store/store.ts';
import { configOf } from '../support/app/config.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { behaviourEngines, sqlite } from '../support/store/engines.ts';
import { neverLeased } from '../support/webhooks/attempts.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';

const at = '2999-01-01T00:00:00.000Z';
const inStore = async <Result>(database: string, use: (store: Store) => Promise<Result>): Promise<Result> =>
  withStore(await configOf(database), {}, use);

/** Records this attempt of a test message, after which it is settled, or is attempted again at the given time. */
const attempt = async (store: Store, webhookId: string, attempt: Omit<Attempt, 'at' | 'durationMs'>, next?: string) => {
  const before = await store.deliveries.createTestMessage(webhookId);
  const { nextAttemptAt: _, requestedAt: __, ...rest } = before;
  const after: Delivery = {
    ...rest,
    attempts: [{ at, durationMs: 1, ...attempt }],
    attemptsInRound: 1,
    ...(next !== undefined && { nextAttemptAt: next }),
  };
  await store.deliveries.record([{ before, after }], new Map(), neverLeased);
  return eventIdOf(after.event);
};

const hostile = 'a\tb\r\n\u001b[31m\u202e';
const escaped = String.raw`a\u0009b\u000d\u000a\u001b[31m\u202e`;

test.each(behaviourEngines)(
  'on $name, webhook deliveries prints each state, newest first',
  async ({ createDatabase }) => {
    await using database = await createDatabase();
    const run = (...args: string[]) => runCommand(['webhook', ...args, '--database', database.url]);
    const url = 'https://example.com';
    const { id, lines } = await inStore(database.url, async (store) => {
      const { id } = await store.webhooks.create({ url, events: ['plant.created'], secret: 's' });
      const lines = [
        [await attempt(store, id, { status: 204 }), 'webhook.test', 'delivered', at, '204', '-', '-'],
        [
          await attempt(store, id, { status: 500, excerpt: hostile }),
          'webhook.test',
          'failed',
          at,
          '500',
          '-',
          escaped,
        ],
        [
          await attempt(store, id, { status: 301, excerpt: 'moved', location: 'https://example.com/new' }),
          'webhook.test',
          'failed',
          at,
          '301',
          '-',
          'https://example.com/new',
        ],
        [await attempt(store, id, { failure: 'timeout' }, at), 'webhook.test', 'pending', at, 'timeout', at, '-'],
        [
          eventIdOf((await store.deliveries.createTestMessage(id)).event),
          'webhook.test',
          'pending',
          '-',
          '-',
          'at once',
          '-',
        ],
      ].map((columns) => `${columns.join('\t')}\n`);
      return { id, lines: lines.toReversed() };
    });
    const [untried, waiting, redirected, failed, delivered] = lines;
    const listed: [string[], (string | undefined)[]][] = [
      [[], lines],
      [
        ['--limit', '2'],
        [untried, waiting],
      ],
      [['--failed'], [waiting, redirected, failed]],
      [['--failed', '--limit', '1'], [waiting]],
      [
        ['--state', 'failed'],
        [redirected, failed],
      ],
      [['--state', 'pending', '--limit', '1'], [untried]],
      [
        ['--state', 'delivered,failed'],
        [redirected, failed, delivered],
      ],
      [
        ['--state', 'delivered', '--state', 'failed'],
        [redirected, failed, delivered],
      ],
    ];
    for (const [options, expected] of listed)
      expect(await run('deliveries', id, ...options)).toEqual({ exitCode: 0, stdout: expected.join(''), stderr: '' });
  },
);

test('the filter finds a delivery behind more than one page of others', async () => {
  await using database = await sqlite.createDatabase();
  const { id, failed } = await inStore(database.url, async (store) => {
    const { id } = await store.webhooks.create({ url: 'https://example.com', events: ['plant.created'], secret: 's' });
    const failed = await attempt(store, id, { status: 500 });
    for (let count = 0; count < 501; count += 1) await attempt(store, id, { status: 204 });
    return { id, failed };
  });
  const run = (...args: string[]) => runCommand(['webhook', 'deliveries', id, ...args, '--database', database.url]);
  expect((await run('--failed')).stdout).toStartWith(`${failed}\t`);
  expect((await run()).stdout.match(/\n/g)).toHaveLength(100);
  expect((await run('--limit', '1000')).stdout.match(/\n/g)).toHaveLength(502);
});

test.each(behaviourEngines)(
  'on $name, a running service sends a message that webhook redeliver requests',
  async ({ createDatabase }) => {
    await using database = await createDatabase();
    using receiver = createReceiver();
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_URL: database.url };
    const [id = ''] = (await runCommand(['webhook', 'add', receiver.url], { env })).stdout.split('\t');
    const failed = await inStore(database.url, (store) => attempt(store, id, { status: 410 }));
    await using _ = await startServer(database.url, { env });
    expect(await runCommand(['webhook', 'redeliver', id, failed], { env })).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'The delivery is pending; serve sends it at once.\n',
    });
    const [message] = await receiver.got(1);
    expect(message?.headers['webhook-id']).toBe(failed);
  },
);

test.each(behaviourEngines)(
  'on $name, a running service sends the message of webhook test',
  async ({ createDatabase }) => {
    await using database = await createDatabase();
    using receiver = createReceiver();
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true', DATABASE_URL: database.url };
    const [id = ''] = (await runCommand(['webhook', 'add', receiver.url], { env })).stdout.split('\t');
    await inStore(database.url, async (store) => {
      await attempt(store, id, { status: 410 });
      expect((await store.webhooks.get(id))?.disabled?.reason).toBe('gone');
    });
    await using _ = await startServer(database.url, { env });
    const { exitCode, stdout, stderr } = await runCommand(['webhook', 'test', id], { env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'The test message is pending; serve sends it at once.\n',
    });
    const [message] = await receiver.got(1);
    expect(`${message?.headers['webhook-id']}\n`).toBe(stdout);
    expect(JSON.parse(message?.body ?? '')).toMatchObject({ type: 'webhook.test' });
  },
);

test.each(behaviourEngines)(
  'on $name, an unknown webhook or delivery is an error of exit code 1',
  async ({ createDatabase }) => {
    await using database = await createDatabase();
    const run = (...args: string[]) => runCommand(['webhook', ...args, '--database', database.url]);
    const { id } = await inStore(database.url, ({ webhooks }) =>
      webhooks.create({ url: 'https://example.com', events: ['plant.created'], secret: 's' }),
    );
    const refused = (sentence: string) => ({ exitCode: 1, stdout: '', stderr: `plant-store: ${sentence}\n` });
    expect(await run('deliveries', 'wh_none')).toEqual(refused(noWebhook.message));
    expect(await run('redeliver', 'wh_none', 'evt_1_x')).toEqual(refused(noWebhook.message));
    expect(await run('test', 'wh_none')).toEqual(refused(noWebhook.message));
    expect(await run('redeliver', id, 'evt_1_x')).toEqual(refused(noDelivery.message));
    expect(await run('redeliver', id, hostile)).toEqual(refused(noDelivery.message));
    expect(await run('deliveries', id)).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  },
);

test.each([
  [['test'], "missing required argument 'id'"],
  [['redeliver', 'wh_a'], "missing required argument 'delivery'"],
  [['deliveries', 'wh_a', '--limit', '0'], 'It must be a number from 1 to 1000.'],
  [['deliveries', 'wh_a', '--limit', '1001'], 'It must be a number from 1 to 1000.'],
  [['deliveries', 'wh_a', '--limit', '1e2'], 'It must be a number from 1 to 1000.'],
  [['deliveries', 'wh_a', '--state', 'lost'], 'It must be a comma-separated list of pending, delivered, failed.'],
  [
    ['deliveries', 'wh_a', '--failed', '--state', 'pending'],
    "'--failed' cannot be used with option '--state <states>'",
  ],
])('webhook %j is refused as wrong usage', async (args, message) => {
  const { exitCode, stderr } = await runCommand(['webhook', ...args]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
});
