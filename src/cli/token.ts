import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../base/error.ts';
import { isKeepableText } from '../base/text.ts';
import { durationForm, durationMsOf } from '../base/time.ts';
import { type Flags, readConfig } from '../config.ts';
import { digestToken, mintToken, type Scope, scopes, type TokenRecord, tokenNameLengthMax } from '../domain/token.ts';
import { withStore } from './database.ts';
import { addDatabaseOption, parseWords } from './options.ts';
import { printLines, printOnce } from './output.ts';

export const addToken = (program: Command): void => {
  const token = program.command('token').description('make, list and revoke the tokens that clients bear');

  addDatabaseOption(token.command('create'))
    .description('make a token and print it; it is shown this once and kept nowhere')
    .requiredOption('--name <name>', 'what the token is for', parseName)
    .option('--scope <scopes>', `comma-separated, of ${scopes.join(', ')}`, parseScopes, [...scopes])
    .option('--expires <duration>', 'such as 90d (s, m, h, d); never by default', parseDurationMs)
    .action(create);

  addDatabaseOption(token.command('list'))
    .description('print a line for each token: id, name, scopes, created, expires, revoked; separated by tabs')
    .action(list);

  addDatabaseOption(token.command('revoke'))
    .description('refuse the token from the very next request on')
    .argument('<id>', 'as token list prints it')
    .action(revoke);
};

interface CreateFlags extends Flags {
  readonly name: string;
  readonly scope: readonly Scope[];
  /** In milliseconds. */
  readonly expires?: number;
}

const create = ({ name, scope, expires, ...flags }: CreateFlags): Promise<void> =>
  withStore(readConfig(flags), {}, async ({ tokens }) => {
    const text = mintToken();
    const { id } = await tokens.create({
      name,
      scopes: scope,
      digest: digestToken(text),
      ...(expires !== undefined && { expiresAt: new Date(Date.now() + expires).toISOString() }),
    });
    await printOnce(text, () => tokens.revoke(id));
  });

const list = async (flags: Flags): Promise<void> => {
  const tokens = await withStore(readConfig(flags), { create: false }, (store) => store.tokens.list());
  printLines(tokens.map(tokenLine));
};

const tokenLine = ({ id, name, scopes, createdAt, expiresAt = '-', revokedAt = '-' }: TokenRecord): string =>
  [id, name, scopes.join(','), createdAt, expiresAt, revokedAt].join('\t');

const revoke = async (id: string, flags: Flags): Promise<void> => {
  const isRevoked = await withStore(readConfig(flags), { create: false }, ({ tokens }) => tokens.revoke(id));
  if (!isRevoked) throw new OperatorError('There is no token with this id; token list shows those there are.');
  console.error('The token is revoked.');
};

/** A control character could break the line of `token list`. */
const parseName = (text: string): string => {
  if (text.trim() === '' || /\p{Cc}/u.test(text) || !isKeepableText(text, tokenNameLengthMax)) {
    throw new InvalidArgumentError(`It must be 1 to ${tokenNameLengthMax} characters, without control characters.`);
  }
  return text;
};

const parseScopes = (text: string): Scope[] => parseWords(text, scopes);

const parseDurationMs = (text: string): number => {
  const durationMs = durationMsOf(text);
  if (durationMs === undefined) throw new InvalidArgumentError(`It must be ${durationForm}.`);
  return durationMs;
};
