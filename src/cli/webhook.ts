import { type Command, InvalidArgumentError } from 'commander';
import { showInvisible } from '../base/printable.ts';
import { generateSecret } from '../base/signature.ts';
import { isStorableText } from '../base/text.ts';
import type { Flags } from '../config/config.ts';
import { settings } from '../config/settings.ts';
import { type PlantEventType, plantEventTypes } from '../events/event.ts';
import { descriptionLengthMax, faultOfUrl } from '../webhooks/webhook.ts';
import type { Context } from './context.ts';
import { withStore } from './database.ts';
import { addDeliveries } from './deliveries.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption, parserOfWords } from './options.ts';

export const addWebhook = (program: Command, context: Context): void => {
  const webhook = program
    .command('webhook')
    .description('add, list and remove webhooks, rotate their secrets, and list their deliveries');

  addDatabaseOption(webhook.command('add'))
    .description('add a webhook and print its id and secret, separated by a tab; the secret is shown only once')
    .argument('<url>', 'https URL with a public host; with WEBHOOK_ALLOW_PRIVATE=true also http and private hosts')
    .option(
      '--event <types>',
      `comma-separated list of ${plantEventTypes.join(', ')} (default: all)`,
      parserOfWords(plantEventTypes),
    )
    .option('--description <text>', 'description of the webhook', parseDescription)
    .action((url, flags, command) => add(url, flags, command, context));

  addDatabaseOption(webhook.command('list'))
    .description('print one line per webhook: id, URL, events, created, status; separated by tabs')
    .action((flags) => list(flags, context));

  addDatabaseOption(webhook.command('remove'))
    .description('remove a webhook; its pending messages are not sent')
    .argument('<id>', 'id of the webhook, as webhook list prints it')
    .action((id, flags) => remove(id, flags, context));

  addDatabaseOption(webhook.command('rotate'))
    .description('create a new secret and print it; messages are also signed with the old one for 24 hours')
    .argument('<id>', 'id of the webhook, as webhook list prints it')
    .action((id, flags) => rotate(id, flags, context));

  addDeliveries(webhook, context);
};

interface AddFlags extends Flags {
  readonly event?: readonly PlantEventType[];
  readonly description?: string;
}

const add = async (
  url: string,
  { event: events = plantEventTypes, description, ...flags }: AddFlags,
  command: Command,
  { env, printOnce }: Context,
): Promise<void> => {
  const config = await loadConfig(flags, env);
  const fault = faultOfUrl(url, { allowPrivate: config.webhookAllowPrivate });
  if (fault !== undefined) command.error(`error: The URL ${fault}.${adviceOn(url)}${showInvisible(url)}`);
  const secret = generateSecret();
  await withStore(config, {}, async ({ webhooks }) => {
    const { id } = await webhooks.create({ url, events, secret, ...(description !== undefined && { description }) });
    await printOnce([id, secret], 'The webhook was removed.', () => webhooks.delete(id));
  });
};

/** For a URL that another setting permits. */
const adviceOn = (url: string): string =>
  faultOfUrl(url, { allowPrivate: true }) === undefined
    ? ` For local work, ${settings.webhookAllowPrivate.name}=true permits http and private hosts; serve needs it too.`
    : '';

const list = async (flags: Flags, { env, printRows }: Context): Promise<void> => {
  const webhooks = await withStore(await loadConfig(flags, env), { create: false }, (store) => store.webhooks.list());
  printRows(
    webhooks.map(({ id, url, events, createdAt, disabled }) => [
      id,
      url,
      events.join(','),
      createdAt,
      disabled ? `${disabled.reason} since ${disabled.at}` : 'enabled',
    ]),
  );
};

const remove = async (id: string, flags: Flags, { env, printMessage }: Context): Promise<void> => {
  await withStore(await loadConfig(flags, env), { create: false }, ({ webhooks }) => webhooks.delete(id));
  printMessage('The webhook was removed.');
};

const rotate = async (id: string, flags: Flags, { env, printOnce }: Context): Promise<void> => {
  const secret = generateSecret();
  await withStore(await loadConfig(flags, env), { create: false }, ({ webhooks }) => webhooks.rotate(id, secret));
  await printOnce(
    [secret],
    'The new secret is valid but was not shown: rotate again. The old one also signs for 24 hours.',
  );
};

const parseDescription = (text: string): string => {
  if (!isStorableText(text, descriptionLengthMax))
    throw new InvalidArgumentError(`It must be at most ${descriptionLengthMax} characters.`);
  return text;
};
