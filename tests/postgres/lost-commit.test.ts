/** Transactions whose connection breaks around COMMIT: each takes effect once, or not at all. */
import { describe, expect, test } from 'bun:test';
import { digestToken, generateToken } from '../../src/tokens/token.ts';
import { create, errorOf, type TestApp } from '../support/app/app.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { auditLog } from '../support/postgres/postgres-audit.ts';
import { promisedMs } from '../support/promised.ts';
import { until } from '../support/until.ts';
import { eventsOf, putPicture, rename, setUp, untilWaiting, untilWokenUp } from './scene.ts';

const changes: [string, RegExp, (app: TestApp) => Promise<Response>, number, id: number, events: string[]][] = [
  ['a creation', /INTO plants/, (app) => create(app, '{"id":2,"name":"new"}'), 200, 2, ['plant.created']],
  ['an update', /^COMMIT/, (app) => rename(app, 1, 'new'), 200, 1, ['plant.created', 'plant.updated']],
  ['a deletion', /^COMMIT/, (app) => app.send('DELETE', '/plants/1'), 204, 1, ['plant.created', 'plant.deleted']],
  ['a picture', /^COMMIT/, (app) => putPicture(app, 1), 201, 1, ['plant.created', 'plant.picture.updated']],
];

describe.each(changes)('%s', (_what, statement, change, status, id, events) => {
  test.concurrent.each(['before', 'after'] as const)(
    'is done once when the connection breaks %s the server receives its COMMIT',
    async (how) => {
      await using scene = await setUp();
      const broken = scene.proxy.breakAt(statement, how);
      const answer = await change(scene.app);
      await broken;
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-log-position')).toBe('2');
      expect(await eventsOf(scene, id)).toEqual(events);
      expect(await auditLog(scene.url)).toEqual([]);
    },
  );
});

describe.concurrent('a transaction of a lost connection', () => {
  test('a creation that reaches the server after its client has given up changes nothing', async () => {
    await using scene = await setUp();
    const broken = scene.proxy.breakAt(/INTO plants/, 'hold');
    expect((await create(scene.app, '{"id":2,"name":"new"}')).status).toBe(200);
    expect((await scene.app.send('DELETE', '/plants/2')).status).toBe(204);
    await (await broken).release();
    expect((await scene.app.send('GET', '/plants/2')).status).toBe(404);
    expect(await eventsOf(scene, 2)).toEqual(['plant.created', 'plant.deleted']);
    expect(await auditLog(scene.url)).toEqual([]);
  });

  test('the service waits for an update whose COMMIT arrives late, and does it once', async () => {
    await using scene = await setUp();
    const broken = scene.proxy.breakAt(/^COMMIT/, 'hold');
    const answer = rename(scene.app, 1, 'new');
    const { release } = await broken;
    await untilWaiting(scene);
    await release();
    expect((await answer).status).toBe(200);
    expect(await eventsOf(scene, 1)).toEqual(['plant.created', 'plant.updated']);
    expect(await auditLog(scene.url)).toEqual([]);
  });

  test('an update whose COMMIT never arrives is retried when its transaction ends', async () => {
    await using scene = await setUp();
    const broken = scene.proxy.breakAt(/^COMMIT/, 'hold');
    const answer = rename(scene.app, 1, 'new');
    await broken;
    await untilWaiting(scene);
    await scene.other`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'`;
    expect((await answer).status).toBe(200);
    expect(await eventsOf(scene, 1)).toEqual(['plant.created', 'plant.updated']);
    expect(await auditLog(scene.url)).toEqual([]);
    expect(scene.reports.retries).toEqual(['08006']);
  });

  test('the service waits for a creation that is running when its connection breaks, and does it once', async () => {
    await using scene = await setUp();
    await scene.other`BEGIN`;
    await scene.other`SELECT 1 FROM log_head FOR UPDATE`;
    const broken = scene.proxy.breakAt(/INTO plants/, 'running');
    const answer = create(scene.app, '{"id":2,"name":"new"}');
    await broken;
    await untilWaiting(scene, 2);
    await scene.other`COMMIT`;
    expect((await answer).status).toBe(200);
    expect(await eventsOf(scene, 2)).toEqual(['plant.created']);
    expect(await auditLog(scene.url)).toEqual([]);
  });

  test('an update whose outcome is not known in time gets 50301, and other changes get 50300 until it is known', async () => {
    await using scene = await setUp();
    const broken = scene.proxy.breakAt(/^COMMIT/, 'hold');
    const answer = rename(scene.app, 1, 'new');
    const waited = idleMs(answer);
    await broken;
    const other = create(scene.app, '{"id":2,"name":"n"}');
    expectPace('the refusal', await waited, promisedMs.answered);
    expect(await errorOf(await answer)).toBe(50301);
    expect(await errorOf(await other)).toBe(50300);
    expect(await eventsOf(scene, 2)).toEqual([]);
    // The server ends the transaction whose client is silent, so that its COMMIT never arrives.
    await until(async () => (await create(scene.app, '{"id":2,"name":"n"}')).status === 200);
    expect(await eventsOf(scene, 1)).toEqual(['plant.created']);
    expect(await eventsOf(scene, 2)).toEqual(['plant.created']);
    expect(await auditLog(scene.url)).toEqual([]);
  });

  test.each([/from "log_head"/, /^COMMIT/])(
    'a picture that its plant already has leaves no unhandled error when the connection breaks before %p',
    async (statement) => {
      await using scene = await setUp();
      await putPicture(scene.app, 1);
      const broken = scene.proxy.breakAt(statement, 'before');
      expect((await putPicture(scene.app, 1)).status).toBe(204);
      await broken;
      expect(await eventsOf(scene, 1)).toEqual(['plant.created', 'plant.picture.updated']);
    },
  );

  test.each(['before', 'after'] as const)(
    'a webhook is created once when the connection breaks %s the server receives the COMMIT',
    async (how) => {
      await using scene = await setUp();
      const broken = scene.proxy.breakAt(/^COMMIT/, how);
      const { id } = await scene.store.webhooks.create({
        url: 'https://a.example',
        events: ['plant.created'],
        secret: 'whsec_n',
      });
      await broken;
      expect((await scene.store.webhooks.list()).map((webhook) => webhook.id)).toEqual([id]);
    },
  );

  test.each(['before', 'after'] as const)(
    'a token is created once, and revoked, when the connection breaks %s the server receives the COMMIT',
    async (how) => {
      await using scene = await setUp();
      const text = generateToken();
      const created = scene.proxy.breakAt(/^COMMIT/, how);
      const { id } = await scene.store.tokens.create({ name: 'n', scopes: ['plants:read'], digest: digestToken(text) });
      await created;
      const revoked = scene.proxy.breakAt(/^COMMIT/, how);
      expect(await scene.store.tokens.revoke(id)).toBe(true);
      await revoked;
      expect((await scene.store.tokens.list()).filter(({ name }) => name === 'n')).toHaveLength(1);
      expect((await scene.app.send('GET', '/plants', { authorization: `Bearer ${text}` })).status).toBe(401);
    },
  );
});

test.concurrent('when one connection is dead, no later request waits for the others', async () => {
  await using scene = await setUp();
  await untilWokenUp(scene);
  scene.proxy.forget();
  expect((await scene.app.send('GET', '/plants/1')).status).toBe(503);
  expect((await create(scene.app, '{"id":2,"name":"new"}')).status).toBe(200);
});

test.concurrent('of two creations in one batch, the new one is acknowledged though the other cannot be compared', async () => {
  await using scene = await setUp();
  const broken = scene.proxy.breakAt(/from "plants" where/, 'hold');
  void broken.then(() => scene.proxy.refuse());
  const answers = await Promise.all([
    create(scene.app, '{"id":1,"name":"old"}'),
    create(scene.app, '{"id":2,"name":"new"}'),
  ]);
  await scene.proxy.accept();
  expect(answers.map(({ status }) => status)).toEqual([503, 200]);
  expect(await eventsOf(scene, 2)).toEqual(['plant.created']);
});

test.concurrent('a connection whose server stops answering during its set-up is closed and made again', async () => {
  await using scene = await setUp();
  const silent = scene.proxy.breakAt(/FROM schema_migrations/, 'silent');
  scene.proxy.cut();
  await silent;
  await until(() =>
    scene.store.tokens
      .create({ name: 'n', scopes: [], digest: 'd' })
      .then(() => true)
      .catch(() => false),
  );
});
