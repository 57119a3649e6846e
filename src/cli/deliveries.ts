import { type Command, Option } from 'commander';
import type { Flags } from '../config/config.ts';
import { type Delivery, type DeliveryState, deliveryStates, isSuccess, stateOf } from '../deliveries/delivery.ts';
import { byPlace, placeOf } from '../deliveries/place.ts';
import { eventIdOf } from '../events/event.ts';
import type { Context } from './context.ts';
import { withStore } from './database.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption, addLimitOption, parserOfWords } from './options.ts';

export const addDeliveries = (webhook: Command, context: Context): void => {
  addLimitOption(addDatabaseOption(webhook.command('deliveries')))
    .description(
      'print one line per delivery, newest event first: id, type, state, last attempt, its status or failure, next attempt, beginning of the response, target of the redirect, or what is wrong with the certificate; separated by tabs; without <id>, of all webhooks, whose id is first',
    )
    .argument('[id]', 'id of the webhook, as webhook list prints it')
    .option(
      '--state <states>',
      `only those in these states: ${deliveryStates.join(', ')}`,
      parserOfWords(deliveryStates),
    )
    .addOption(
      new Option('--failed', 'only those whose last attempt failed, also if more attempts are made').conflicts('state'),
    )
    .action((id, flags) => list(id, flags, context));

  addDatabaseOption(webhook.command('test'))
    .description('send a test message, print its id, and enable the webhook if it was disabled')
    .argument('<id>', 'id of the webhook, as webhook list prints it')
    .action((id, flags) => sendTest(id, flags, context));

  addDatabaseOption(webhook.command('redeliver'))
    .description('send a message again at once, with new attempts, and enable the webhook if it was disabled')
    .argument('<id>', 'id of the webhook, as webhook list prints it')
    .argument('<delivery>', 'id of the delivery, as webhook deliveries prints it')
    .action((id, delivery, flags) => redeliver(id, delivery, flags, context));
};

const pageLength = 500;

interface ListFlags extends Flags {
  readonly state?: readonly DeliveryState[];
  readonly failed?: boolean;
  readonly limit: number;
}

const list = async (
  id: string | undefined,
  { state: states = deliveryStates, failed = false, limit, ...flags }: ListFlags,
  { env, printRows }: Context,
): Promise<void> => {
  const isAsked = failed ? hasFailed : (delivery: Delivery) => states.includes(stateOf(delivery));
  await withStore(await loadConfig(flags, env), { create: false }, async ({ deliveries }) => {
    if (id !== undefined) {
      const read = (after?: Delivery) =>
        deliveries.list(id, { limit: pageLength, after: after && eventIdOf(after.event) });
      return printRows((await collect(read, isAsked, limit)).map(columnsOf));
    }
    const ofState = (state: DeliveryState): Promise<readonly Delivery[]> => {
      const read = (after?: Delivery) =>
        deliveries.listByState(state, { limit: pageLength, after: after && placeOf(after) });
      return collect(read, isAsked, limit);
    };
    const found = await Promise.all((failed ? (['failed', 'pending'] as const) : states).map(ofState));
    const newest = found.flat().sort(byPlace).slice(0, limit);
    printRows(newest.map((delivery) => [delivery.webhookId, ...columnsOf(delivery)]));
  });
};

/** Whether it has failed, or waits for another attempt after one that failed. */
const hasFailed = ({ attempts }: Delivery): boolean => {
  const last = attempts.at(-1);
  return last !== undefined && !isSuccess(last);
};

/** The first deliveries of a list, at most `limit`, of those for which `isAsked` is true. `read` returns the page after a delivery. */
const collect = async (
  read: (after?: Delivery) => Promise<readonly Delivery[]>,
  isAsked: (delivery: Delivery) => boolean,
  limit: number,
): Promise<readonly Delivery[]> => {
  const found: Delivery[] = [];
  for (let last: Delivery | undefined; found.length < limit; ) {
    const page = await read(last);
    found.push(...page.filter(isAsked));
    last = page.at(-1);
    if (page.length < pageLength) break;
  }
  return found.slice(0, limit);
};

const columnsOf = (delivery: Delivery): readonly string[] => {
  const { event, attempts, nextAttemptAt = '-', requestedAt } = delivery;
  const { at = '-', status, failure = '-', certificate, location, excerpt } = attempts.at(-1) ?? {};
  const result = status === undefined ? failure : `${status}`;
  const next = requestedAt === undefined ? nextAttemptAt : 'at once';
  return [eventIdOf(event), event.type, stateOf(delivery), at, result, next, location ?? excerpt ?? certificate ?? '-'];
};

const sendTest = async (id: string, flags: Flags, { env, printLines, printMessage }: Context): Promise<void> => {
  const config = await loadConfig(flags, env);
  const { event } = await withStore(config, { create: false }, ({ deliveries }) => deliveries.createTestMessage(id));
  printMessage('The test message is pending; serve sends it at once.');
  printLines([eventIdOf(event)]);
};

const redeliver = async (id: string, delivery: string, flags: Flags, { env, printMessage }: Context): Promise<void> => {
  await withStore(await loadConfig(flags, env), { create: false }, ({ deliveries }) =>
    deliveries.redeliver(id, delivery),
  );
  printMessage('The delivery is pending; serve sends it at once.');
};
