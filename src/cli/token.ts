import { type Command, InvalidArgumentError, Option } from 'commander';
import { OperatorError } from '../base/error.ts';
import { hasControl, isStorableText } from '../base/text.ts';
import type { Flags } from '../config/config.ts';
import { duration } from '../config/setting-values.ts';
import { digestToken, generateToken, type Scope, scopes, tokenNameLengthMax } from '../tokens/token.ts';
import type { Context } from './context.ts';
import { withStore } from './database.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption, parserOf, parserOfWords } from './options.ts';

export const addToken = (program: Command, context: Context): void => {
  const token = program.command('token').description('create, list and revoke access tokens');

  addDatabaseOption(token.command('create'))
    .description('create a token and print it; it is shown only once, since only its digest is stored')
    .requiredOption('--name <name>', 'name of the token', parseName)
    .addOption(
      new Option('--scope <scopes>', `comma-separated list of ${scopes.join(', ')}`)
        .argParser((text: string) => parserOfWords(scopes)(text))
        .default([...scopes], 'all'),
    )
    .option(
      '--expires <duration>',
      'time until the token expires, such as 90d (units: s, m, h, d; default: never)',
      parserOf(duration),
    )
    .action((flags) => create(flags, context));

  addDatabaseOption(token.command('list'))
    .description(
      'print one line per token: id, name, scopes, created, expires, revoked, last used (the hour, UTC); separated by tabs',
    )
    .action((flags) => list(flags, context));

  addDatabaseOption(token.command('revoke'))
    .description('revoke a token; the next request with it is refused')
    .argument('<id>', 'id of the token, as token list prints it')
    .action((id, flags) => revoke(id, flags, context));
};

interface CreateFlags extends Flags {
  readonly name: string;
  readonly scope: readonly Scope[];
  /** In milliseconds. */
  readonly expires?: number;
}

const create = async ({ name, scope, expires, ...flags }: CreateFlags, { env, printOnce }: Context): Promise<void> =>
  withStore(await loadConfig(flags, env), {}, async ({ tokens }) => {
    const text = generateToken();
    const { id } = await tokens.create({
      name,
      scopes: scope,
      digest: digestToken(text),
      ...(expires !== undefined && { expiresAt: new Date(Date.now() + expires).toISOString() }),
    });
    await printOnce([text], 'The token was revoked.', () => tokens.revoke(id));
  });

const list = async (flags: Flags, { env, printRows }: Context): Promise<void> => {
  const tokens = await withStore(await loadConfig(flags, env), { create: false }, (store) => store.tokens.list());
  printRows(
    tokens.map(({ id, name, scopes, createdAt, expiresAt = '-', revokedAt = '-', lastUsedAt = '-' }) => [
      id,
      name,
      scopes.join(','),
      createdAt,
      expiresAt,
      revokedAt,
      lastUsedAt,
    ]),
  );
};

const revoke = async (id: string, flags: Flags, { env, printMessage }: Context): Promise<void> => {
  const isRevoked = await withStore(await loadConfig(flags, env), { create: false }, ({ tokens }) => tokens.revoke(id));
  if (!isRevoked) throw new OperatorError('No token has this id; token list prints all ids.');
  printMessage('The token was revoked.');
};

/** With control characters two names could look alike. */
const parseName = (text: string): string => {
  if (text.trim() === '' || hasControl(text) || !isStorableText(text, tokenNameLengthMax)) {
    throw new InvalidArgumentError(`It must be 1 to ${tokenNameLengthMax} characters, without control characters.`);
  }
  return text;
};
