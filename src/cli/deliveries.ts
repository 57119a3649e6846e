import { type Command, Option } from 'commander';
import { type Flags, loadConfig } from '../config.ts';
import { type Delivery, type DeliveryState, deliveryStates, stateOf } from '../deliveries/delivery.ts';
import { byPlace } from '../deliveries/place.ts';
import { eventIdOf } from '../events/event.ts';
import type { DeliveryStore } from '../store/store.ts';
import type { Context } from './context.ts';
import { withStore } from './database.ts';
import { addDatabaseOption, addLimitOption, parserOfWords } from './options.ts';

export const addDeliveries = (webhook: Command, context: Context): void => {
  addLimitOption(addDatabaseOption(webhook.command('deliveries')))
    .description(
      'print one line per delivery, newest event first: id, type, state, last attempt, its status or failure, next attempt, beginning of the response; separated by tabs; without <id>, of all webhooks, whose id is first',
    )
    .argument('[id]', 'id of the webhook, as webhook list prints it')
    .option(
      '--state <states>',
      `only those in these states: ${deliveryStates.join(', ')}`,
      parserOfWords(deliveryStates),
    )
    .addOption(new Option('--failed', 'the same as --state failed').conflicts('state'))
    .action((id, flags) => list(id, flags, context));

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
  { state = deliveryStates, failed, limit, ...flags }: ListFlags,
  { env, printRows }: Context,
): Promise<void> => {
  const states: readonly DeliveryState[] = failed ? ['failed'] : state;
  await withStore(await loadConfig(flags, env), { create: false }, async ({ deliveries }) => {
    if (id !== undefined) return printRows((await readOfWebhook(deliveries, id, states, limit)).map(columnsOf));
    const found = await Promise.all(states.map((one) => deliveries.listByState(one, { limit })));
    const newest = found.flat().sort(byPlace).slice(0, limit);
    printRows(newest.map((delivery) => [delivery.webhookId, ...columnsOf(delivery)]));
  });
};

/** The newest deliveries to a webhook in these states, at most `limit`. */
const readOfWebhook = async (
  deliveries: DeliveryStore,
  id: string,
  states: readonly DeliveryState[],
  limit: number,
): Promise<readonly Delivery[]> => {
  const found: Delivery[] = [];
  for (let after: string | undefined; found.length < limit; ) {
    const page = await deliveries.list(id, { limit: pageLength, after });
    found.push(...page.filter((delivery) => states.includes(stateOf(delivery))));
    const last = page.at(-1);
    if (!last || page.length < pageLength) break;
    after = eventIdOf(last.event);
  }
  return found.slice(0, limit);
};

const columnsOf = (delivery: Delivery): readonly string[] => {
  const { event, attempts, nextAttemptAt = '-', requestedAt } = delivery;
  const { at = '-', status, failure = '-', excerpt = '-' } = attempts.at(-1) ?? {};
  const result = status === undefined ? failure : `${status}`;
  const next = requestedAt === undefined ? nextAttemptAt : 'at once';
  return [eventIdOf(event), event.type, stateOf(delivery), at, result, next, excerpt];
};

const redeliver = async (id: string, delivery: string, flags: Flags, { env, printMessage }: Context): Promise<void> => {
  await withStore(await loadConfig(flags, env), { create: false }, ({ deliveries }) =>
    deliveries.redeliver(id, delivery),
  );
  printMessage('The delivery is pending; serve sends it at once.');
};
