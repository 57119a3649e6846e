/**
 * As many webhooks as a store can have, of which half hang: their receiver accepts each message and does not respond, or in the second scene
 * the name server of their hosts does not respond. Every other one must get each message promptly, requests must get prompt responses,
 * memory must stay bounded, and SIGTERM must end the process in time.
 * Node has no limit of requests at once, so there a third scene writes 5,000 webhooks into the file.
 *
 *     bun tests/faults/many-webhooks.ts [--rounds 3] [--scene limit]
 */
import { Database } from 'bun:sqlite';
import { webhooksMax } from '../../src/webhooks/webhook.ts';
import { temporaryFolder } from '../support/folder.ts';
import { canServeNames, startNameServer } from '../support/network/name-server.ts';
import { startRaw } from '../support/network/raw-server.ts';
import { programName, runProgram, startServer, underTest } from '../support/programs/process.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { memoryMebibytes } from './support/usage.ts';
import { createVerdict, type Time } from './support/verdict.ts';

interface Scene {
  readonly name: string;
  readonly webhooks: number;
  readonly hasSilentNames?: boolean;
  readonly deliveredMsMax: number;
  readonly responseMsMax: number;
  readonly memoryMebibytesMax: number;
}

const limit: Scene = {
  name: 'limit',
  webhooks: webhooksMax,
  deliveredMsMax: 2000,
  responseMsMax: 1000,
  memoryMebibytesMax: 128,
};
const names: Scene = { ...limit, name: 'names', hasSilentNames: true };
const beyond: Scene = {
  name: 'beyond',
  webhooks: 5000,
  deliveredMsMax: 12_000,
  responseMsMax: 4000,
  memoryMebibytesMax: 512,
};

const { rounds, choose } = readOptions(3);
const scenes = choose([limit, ...(canServeNames ? [names] : []), ...(programName.startsWith('node') ? [beyond] : [])]);
const plants = 5;
/** Ten seconds for attempts in flight, and what follows. */
const stoppedMsMax = 13_000;

const { expect, expectPace, expectWithin, end } = createVerdict();
const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
const tried: Record<string, number> = {};
const note = (what: string, value: number): void => {
  tried[what] = Math.max(tried[what] ?? 0, Math.round(value));
};
const within = (msMax: number, what: string, { fromMs, toMs = performance.now(), ms = toMs - fromMs }: Time): void => {
  note(`${what}, ms`, ms);
  expectWithin(msMax, what, { fromMs, toMs, ms });
};

/** Every second one has a URL that hangs. */
const addWebhooks = async (
  database: string,
  count: number,
  prompt: string,
  hanging: (n: number) => string,
): Promise<void> => {
  await runProgram(['webhook', 'add', prompt, '--database', database], { env });
  using client = new Database(database);
  const copy = client.query(
    `INSERT INTO webhooks (id, url, events, secrets, position, created_at)
     SELECT $id, $url, events, secrets, position, created_at FROM webhooks LIMIT 1`,
  );
  client.transaction(() => {
    for (let n = 1; n < count; n += 1) copy.run({ $id: `wh_${n}`, $url: n % 2 === 0 ? `${prompt}${n}` : hanging(n) });
  })();
};

/** Requests a response every 10 ms, until the function that it returns is called. That resolves to the median time. */
const startPolling = (url: string, onResponse: (time: Time) => void) => {
  const times: number[] = [];
  const fromMs = performance.now();
  let isOver = false;
  const polling = (async () => {
    while (!isOver) {
      const sentAtMs = performance.now();
      await fetch(url);
      times.push(performance.now() - sentAtMs);
      onResponse({ fromMs: sentAtMs });
      await Bun.sleep(10);
    }
  })();
  return async () => {
    isOver = true;
    await polling;
    times.sort((a, b) => a - b);
    return { fromMs, ms: times[times.length >> 1] ?? 0 };
  };
};

const run = async (scene: Scene): Promise<void> => {
  const { name, webhooks, hasSilentNames, deliveredMsMax, responseMsMax, memoryMebibytesMax } = scene;
  using folder = temporaryFolder();
  const database = folder.file('plants.sqlite');
  const headers = await createDatabase(database);
  using receiver = createReceiver();
  using hanging = await startRaw((socket) => socket.resume());
  using silent = hasSilentNames ? await startNameServer({ answer: () => undefined }) : undefined;
  const hangingUrl = (n: number) =>
    silent ? `http://silent${n}.example.com/` : `http://127.0.0.1:${hanging.port}/${n}`;
  // The prompt ones have a name, too.
  const promptUrl = receiver.url.replace('127.0.0.1', 'localhost');
  await addWebhooks(database, webhooks, promptUrl, hangingUrl);
  await using server = await startServer(database, { env, program: [...(silent?.prefix ?? []), ...underTest] });
  const memoryBefore = memoryMebibytes(server.pid);

  const stopPolling = startPolling(`${server.url}/healthz`, (time) =>
    within(responseMsMax, `${name}: slowest response`, time),
  );
  for (let id = 1; id <= plants; id += 1) {
    const sentAtMs = performance.now();
    await fetch(`${server.url}/plants`, { method: 'POST', headers, body: `{"id":${id},"name":"n"}` });
    const count = () => receiver.received.length;
    expect(await comesTrue(() => count() >= (id * webhooks) / 2, count), `${name}: a message was not sent`);
    within(deliveredMsMax, `${name}: slowest message`, { fromMs: sentAtMs });
    const mebibytes = memoryMebibytes(server.pid) - memoryBefore;
    note(`${name}: MiB more`, mebibytes);
    expectPace(mebibytes < memoryMebibytesMax, `${name}: ${Math.round(mebibytes)} MiB more`);
  }
  within(responseMsMax / 10, `${name}: median response`, await stopPolling());
  const hang = silent ? new Set(silent.questions.map(({ name }) => name)).size : hanging.sockets.length;
  expect(hang >= webhooks / 2, `${hang} attempts hang`);

  const stoppedAtMs = performance.now();
  server.kill('SIGTERM');
  expect((await server.exited) === 0, 'it did not stop in order');
  within(stoppedMsMax, `${name}: stop`, { fromMs: stoppedAtMs });
};

for (const _round of rounds.each()) for (const scene of scenes) await run(scene);

end({ rounds: rounds.count(), ...tried });
