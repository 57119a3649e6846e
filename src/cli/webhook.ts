import { type Command, InvalidArgumentError } from 'commander';
import { mintSecret } from '../base/signature.ts';
import { isKeepableText } from '../base/text.ts';
import { type Flags, readConfig } from '../config.ts';
import { type PlantEventType, plantEventTypes } from '../domain/event.ts';
import { descriptionLengthMax, refusalOfUrl, type WebhookRecord } from '../domain/webhook.ts';
import { withStore } from './database.ts';
import { addDatabaseOption, parseWords } from './options.ts';
import { printLines, printOnce } from './output.ts';

export const addWebhook = (program: Command): void => {
  const webhook = program.command('webhook').description('say where the events of the plants are sent');

  addDatabaseOption(webhook.command('add'))
    .description('add a webhook and print its id and its secret, separated by a tab; the secret is shown this once')
    .argument('<url>', 'https, to a public host; http and any host with WEBHOOK_ALLOW_PRIVATE=true')
    .option('--event <types>', `comma-separated, of ${plantEventTypes.join(', ')}; all by default`, parseEvents)
    .option('--description <text>', 'what it is for', parseDescription)
    .action(add);

  addDatabaseOption(webhook.command('list'))
    .description('print a line for each webhook: id, URL, events, created, enabled or why not; separated by tabs')
    .action(list);

  addDatabaseOption(webhook.command('remove'))
    .description('send nothing to it any more')
    .argument('<id>', 'as webhook list prints it')
    .action(remove);

  addDatabaseOption(webhook.command('rotate'))
    .description('make a new secret and print it; the earlier one signs too for 24 hours')
    .argument('<id>', 'as webhook list prints it')
    .action(rotate);
};

interface AddFlags extends Flags {
  readonly event?: readonly PlantEventType[];
  readonly description?: string;
}

const add = async (
  url: string,
  { event: events = plantEventTypes, description, ...flags }: AddFlags,
  command: Command,
): Promise<void> => {
  const config = readConfig(flags);
  const refusal = refusalOfUrl(url, { allowPrivate: config.webhookAllowPrivate });
  if (refusal !== undefined) command.error(`error: The URL ${refusal}.`);
  const secret = mintSecret();
  await withStore(config, {}, async ({ webhooks }) => {
    const { id } = await webhooks.create({ url, events, secret, ...(description !== undefined && { description }) });
    await printOnce(`${id}\t${secret}`, () => webhooks.delete(id));
  });
};

const list = async (flags: Flags): Promise<void> => {
  const webhooks = await withStore(readConfig(flags), { create: false }, (store) => store.webhooks.list());
  printLines(webhooks.map(webhookLine));
};

const webhookLine = ({ id, url, events, createdAt, disabled }: WebhookRecord): string =>
  [id, url, events.join(','), createdAt, disabled ? `${disabled.reason} since ${disabled.at}` : 'enabled'].join('\t');

const remove = async (id: string, flags: Flags): Promise<void> => {
  await withStore(readConfig(flags), { create: false }, ({ webhooks }) => webhooks.delete(id));
  console.error('The webhook is removed.');
};

const rotate = async (id: string, flags: Flags): Promise<void> => {
  const secret = mintSecret();
  await withStore(readConfig(flags), { create: false }, ({ webhooks }) => webhooks.rotate(id, secret));
  await printOnce(secret, () =>
    console.error(
      'The new secret is in force and could not be shown: rotate again. The earlier one signs for 24 hours.',
    ),
  );
};

const parseEvents = (text: string, earlier: readonly PlantEventType[] = []): PlantEventType[] =>
  parseWords([...earlier, text].join(','), plantEventTypes);

const parseDescription = (text: string): string => {
  if (!isKeepableText(text, descriptionLengthMax))
    throw new InvalidArgumentError(`It must be at most ${descriptionLengthMax} characters.`);
  return text;
};
