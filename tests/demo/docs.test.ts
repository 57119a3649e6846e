/** `docs/demo.md` has the same data as the demo, and its command for tools that need a full URL works. */
import { expect, test } from 'bun:test';
import { stateOf } from '../../src/deliveries/delivery.ts';
import { deliveries } from '../../src/deliveries/sample.ts';
import { eventIdOf } from '../../src/events/event.ts';
import { eventsBeforeWebhook, eventsOfWebhook, monsteraPictured } from '../../src/events/sample.ts';
import type { NewPlant } from '../../src/plants/plant.ts';
import { baobab, demoTime, ficus, monstera, moss, sequoia } from '../../src/plants/sample.ts';
import { demo, demoToken, reader, readerToken } from '../../src/tokens/sample.ts';
import { secret, webhook } from '../../src/webhooks/sample.ts';
import { jsonOf } from '../support/app/app.ts';
import { startTestDemo } from '../support/app/demo.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startDemo } from '../support/programs/process.ts';

const text = await Bun.file(`${import.meta.dir}/../../docs/demo.md`).text();

const tableOf = (...rows: readonly (readonly (bigint | string | number | undefined)[])[]): string =>
  rows.map((row) => `| ${row.join(' | ')} |\n`).join('');

const code = (word: string): string => `\`${word}\``;

test('docs/demo.md lists the tokens, plants, events, webhook and deliveries of the demo', () => {
  const tagOf = ({ tag }: NewPlant): string => (tag ? code(tag) : tag === '' ? 'empty' : 'none');
  const events = [...eventsBeforeWebhook, ...eventsOfWebhook, monsteraPictured];
  const tables = [
    tableOf([code(demoToken), demo.name, 'all'], [code(readerToken), reader.name, code(reader.scopes.join())]),
    tableOf(...[monstera, ficus, moss, baobab, sequoia].map((one) => [one.id, code(one.name), tagOf(one)])),
    tableOf(...events.map((one) => [code(eventIdOf(one)), code(one.type), one.id, one.timestamp.slice(11, 19)])),
    tableOf(
      ...deliveries.map((one) => [
        code(eventIdOf(one.event)),
        stateOf(one),
        one.attempts.map(({ status, failure }) => status ?? failure).join(),
      ]),
    ),
  ];
  for (const table of tables) expect(text).toContain(`--- |\n${table}\n`);
  for (const word of [webhook.id, webhook.url, secret]) expect(text).toContain(code(word));
  expect(text).toContain(`has the time ${demoTime}.`);
  expect(new Set(text.match(/plant_\w+/g))).toEqual(new Set([demoToken, readerToken]));
});

test('a client that rounds ids lists two plants of the demo with one id', async () => {
  await using demo = await startTestDemo();
  const text = await (await demo.send('GET', '/plants?tag=giant')).text();
  expect(text.match(/"id":\d+/g)).toEqual([`"id":${baobab.id}`, `"id":${sequoia.id}`]);
  const [first, second]: { id: number }[] = JSON.parse(text);
  expect(first?.id).toBe(Number(baobab.id));
  expect(second?.id).toBe(Number(baobab.id));
});

const hasTools = ['bash', 'curl', 'jq'].every((tool) => Bun.which(tool));

test.skipIf(!hasTools)(
  'the command with jq in docs/demo.md copies the document, with the URL of the demo',
  async () => {
    const [, command = '', file = ''] = /^(curl .* jq .* > (\S+))$/m.exec(text) ?? [];
    using folder = temporaryFolder();
    await using demo = await startDemo();
    const script = command.replaceAll('http://127.0.0.1:3000', demo.url);
    expect(await Bun.spawn(['bash', '-o', 'pipefail', '-c', script], { cwd: folder.path }).exited).toBe(0);
    const document = await jsonOf(await fetch(`${demo.url}/openapi.json`));
    const servers = [{ ...document.servers[0], url: demo.url }];
    expect(await Bun.file(folder.file(file)).json()).toEqual({ ...document, servers });
  },
);
