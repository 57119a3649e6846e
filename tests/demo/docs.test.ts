/** `docs/demo.md` has the same data as the demo. */
import { expect, test } from 'bun:test';
import { stateOf } from '../../src/domain/delivery.ts';
import { eventIdOf } from '../../src/domain/event.ts';
import {
  deliveries,
  demo,
  demoTime,
  demoToken,
  eventsBeforeWebhook,
  eventsOfWebhook,
  ficus,
  monstera,
  moss,
  reader,
  readerToken,
  secret,
  webhook,
} from '../../src/domain/fixture.ts';

const text = await Bun.file(`${import.meta.dir}/../../docs/demo.md`).text();

const tableOf = (...rows: readonly (readonly (bigint | string | number | undefined)[])[]): string =>
  rows.map((row) => `| ${row.join(' | ')} |\n`).join('');

const code = (word: string): string => `\`${word}\``;

test('docs/demo.md lists the tokens, plants, events, webhook and deliveries of the demo', () => {
  const tags = { [`${monstera.tag}`]: '`tropical`', [`${ficus.tag}`]: 'none', [`${moss.tag}`]: 'empty' };
  const events = [...eventsBeforeWebhook, ...eventsOfWebhook];
  const tables = [
    tableOf([code(demoToken), demo.name, 'all'], [code(readerToken), reader.name, code(reader.scopes.join())]),
    tableOf(...[monstera, ficus, moss].map(({ id, name, tag }) => [id, code(name), tags[`${tag}`]])),
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
