/** The types of settings: the description of their values, and a parser. */
import { fileURLToPath } from 'node:url';
import { OperatorError, tryTo } from '../base/error.ts';
import { readHost } from '../base/host.ts';
import { isNetwork, loopbackOrigins } from '../base/network.ts';
import { isPath, pathAdvice } from '../base/path.ts';
import { isSecret, secretWords } from '../base/signature.ts';
import { hasControl } from '../base/text.ts';
import { durationForm, durationMsOf } from '../base/time.ts';
import { type Rate, rateCountMax, rateWindowDaysMax } from '../base/token-bucket.ts';
import type { Engine, ServerDatabase } from '../store/engine.ts';

export type DatabaseSetting = ReturnType<typeof sqliteDatabase> | ServerDatabase;

/** It has what a database on a server has for messages: the system, and the name for people. */
export const sqliteDatabase = (path: string) => ({ engine: 'sqlite', system: 'sqlite', name: path, path }) as const;

export interface Kind<Value> {
  /** The accepted values, as the end of a message, after "must be". */
  readonly words: string;
  /** Undefined if the text is invalid. Throws OperatorError with a more exact message. */
  readonly read: (text: string) => Value | undefined;
  /** The value as a text without secrets. Omitted if the text that was read is one. */
  show?(value: Value): string;
}

export const oneOf = <Word extends string>(words: readonly Word[]): Kind<Word> => ({
  words: `one of ${words.join(', ')}`,
  read: (text) => words.find((known) => known === text),
});

/** Without a zone, which Bun and Deno cannot listen on. */
export const host: Kind<string> = {
  words: 'a host name or an IP address without a zone; 0.0.0.0 and :: are all addresses',
  read: (text) => (text.includes('%') ? undefined : readHost(text)),
  show: (value) => value,
};

export const port: Kind<number> = {
  words: '0–65535',
  read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
};

/** `engine` parses the URL of a server. Without it, that URL is refused. */
export const databaseOn = (engine?: Engine): Kind<DatabaseSetting> => ({
  words: 'the path of a SQLite file, file: and a path with no host and no parameters, or postgres://user@host/database',
  read: (text) => {
    if (isPostgresUrl(text)) return readUrl(text, engine);
    const isFileUrl = text.startsWith('file:');
    const path = isFileUrl ? readFileUrl(text) : text;
    if (isFileUrl ? path.includes('://') : !isPath(path)) throw new OperatorError(otherAddress);
    const isFile = path !== '' && path === path.trim() && path !== ':memory:' && !path.includes('\0');
    return isFile ? sqliteDatabase(path) : undefined;
  },
  show: ({ name }) => name,
});

const otherAddress = `postgres://user:password@host/database without quotation marks, or the path of a SQLite file. It looks like another address; ${pathAdvice}`;

const readUrl = (text: string, engine: Engine | undefined): ServerDatabase => {
  if (!engine) throw new OperatorError('the path of a SQLite file: this program has no engine for PostgreSQL');
  try {
    return engine.parse(text);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`a valid PostgreSQL URL: ${error.message}`);
  }
};

/** Empty when the URL has no path that can be used. */
const readFileUrl = (text: string): string => {
  if (/[?#]|%00/.test(text) || /^file:\/\/[^/]/.test(text)) return '';
  return text.startsWith('file://') ? (tryTo(() => fileURLToPath(text)) ?? '') : text.slice('file:'.length);
};

export const folder: Kind<string> = {
  words: `the path of a folder; ${pathAdvice}`,
  read: (text) => (isPath(text) && text === text.trim() && !hasControl(text) ? text : undefined),
};

export const logLevel = oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);

export const origins: Kind<readonly string[]> = {
  words: `* or a comma-separated list of origins, such as https://plants.example, and of the word ${loopbackOrigins}`,
  read: (text) => {
    const list = listOf(text);
    return text.trim() === '*' || list.every((item) => item === loopbackOrigins || isOrigin(item)) ? list : undefined;
  },
};

/** The items of a comma-separated list, which may be empty. */
const listOf = (text: string): readonly string[] =>
  text.trim() === '' ? [] : text.split(',').map((item) => item.trim());

/** Undefined also for a URL that nothing can connect to: with the port 0, or a host that cannot be a name or an address, such as `*`. */
export const parseUrl = (text: string): URL | undefined => {
  const url = URL.parse(text);
  return url && url.port !== '0' && readHost(url.hostname) !== undefined ? url : undefined;
};

const isOrigin = (text: string): boolean => originForm.test(text) && parseUrl(text)?.origin === text;

/** A `*` in a host is a valid URL, but would look like a pattern and match nothing. */
const originForm = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

export const boolean: Kind<boolean> = {
  words: 'true or false',
  read: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
};

export const signingSecret: Kind<string> = {
  words: secretWords,
  read: (text) => (isSecret(text) ? text : undefined),
  show: () => 'whsec_…',
};

export const duration: Kind<number> = { words: durationForm, read: durationMsOf };

/** `form` has a number and its unit, which is s or ms. */
const delayUpTo = (maxMs: number, form: RegExp, words: string): Kind<number> => ({
  words,
  read: (text) => {
    const [, count, unit] = form.exec(text) ?? [];
    const delayMs = Number(count) * (unit === 's' ? 1000 : 1);
    return delayMs <= maxMs ? delayMs : undefined;
  },
});

export const delay = delayUpTo(300_000, /^(\d{1,3})(s)$/, 'a number of seconds, such as 5s, from 0s to 300s');

/** The maximum is lower than the time limit of a request. */
export const responseDelay = delayUpTo(
  10_000,
  /^(\d{1,5})(ms|s)$/,
  'a number and ms or s, such as 200ms, and at most 10s',
);

export const rate: Kind<Rate> = {
  words: `a number of requests from 1 to ${rateCountMax}, a slash, and a time in s, m, h or d of at most ${rateWindowDaysMax}d, such as 100/1s`,
  read: (text) => {
    const [, count = '', window = ''] = /^([1-9]\d{0,6})\/(\w+)$/.exec(text) ?? [];
    const windowMs = durationMsOf(window);
    if (windowMs === undefined || windowMs > rateWindowDaysMax * 86_400_000) return undefined;
    return Number(count) <= rateCountMax ? { count: Number(count), windowMs } : undefined;
  },
};

export const networks: Kind<readonly string[]> = {
  words: 'a comma-separated list of addresses and networks, such as 10.0.0.1, fd00::/8',
  read: (text) => {
    const list = listOf(text).map((item) => item.replace(bracketedAddress, '$1'));
    return list.every(isNetwork) ? list : undefined;
  },
};

const bracketedAddress = /^\[([^\]/]*:[^\]/]*)\]/;

export const environmentName: Kind<boolean> = {
  words: 'development, or any other text without control characters',
  read: (text) => (hasControl(text) ? undefined : text === 'development'),
};

/** Whether a value of `DATABASE_URL` is for PostgreSQL. */
export const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text);
