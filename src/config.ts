/**
 * The only reader of the environment. Each setting comes from a flag, else from the environment, else from its default; all
 * are read at once, and one that does not parse stops the start and is named.
 */
import { fileURLToPath } from 'node:url';
import { isSecret, secretWords } from './base/signature.ts';
import { durationForm, durationMsOf } from './base/time.ts';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  readonly host: string;
  /** 0 lets the system choose a free port. */
  readonly port: number;
  /** The path of the SQLite file. */
  readonly database: string;
  readonly logLevel: LogLevel;
  /** The origins whose pages may call the service, as a browser sends them, or `*` alone. None turns CORS off. */
  readonly corsOrigins: readonly string[];
  /** Whether webhooks may be sent over http and to private addresses. */
  readonly webhookAllowPrivate: boolean;
  /** What `listen` verifies with. Absent when nothing is verified. */
  readonly webhookSecret?: string;
  /** How long an event is kept. */
  readonly eventRetentionMs: number;
  /** Local work: a token is made when there is none, a command to try it with is shown, and webhooks may be private. */
  readonly isDevelopment: boolean;
}

/** Values as they came from outside: absent, or any text. */
export interface Flags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly database?: string | undefined;
}

/** A setting that does not parse. `message` names it and says what it takes. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Throws SettingError for the first setting that does not parse. */
export const readConfig = (flags: Flags = {}, env: Environment = environment): Config => {
  const isDevelopment = env['NODE_ENV'] === 'development';
  const read = <Value>(setting: string, kind: Kind<Value>, otherwise: string, flag?: string): Value => {
    const value = kind.read(flag ?? env[setting] ?? otherwise);
    if (value === undefined) throw new SettingError(`${setting} must be ${kind.words}.`);
    return value;
  };
  return Object.freeze({
    host: read('HOST', host, '127.0.0.1', flags.host),
    port: read('PORT', port, '3000', flags.port),
    database: read('DATABASE_URL', database, './data/plants.sqlite', flags.database),
    logLevel: read('LOG_LEVEL', logLevel, 'info'),
    corsOrigins: read('CORS_ORIGINS', origins, ''),
    webhookAllowPrivate: read('WEBHOOK_ALLOW_PRIVATE', boolean, `${isDevelopment}`),
    ...(env['WEBHOOK_SECRET'] !== undefined && { webhookSecret: read('WEBHOOK_SECRET', secret, '') }),
    eventRetentionMs: read('EVENT_RETENTION', duration, '30d'),
    isDevelopment,
  });
};

/** The names of all settings: what `readConfig` looks up in an environment. */
export const settingNames = (): readonly string[] => {
  const names = new Set<string>();
  readConfig({}, new Proxy<Environment>({}, { get: (_, name) => void names.add(String(name)) }));
  return [...names];
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** `NODE_ENV` is spelled out because the build of the single binary replaces exactly these words by "production". */
const environment: Environment = { ...process.env, NODE_ENV: process.env.NODE_ENV };

/** A kind of value. */
interface Kind<Value> {
  /** What is accepted, as the end of a sentence that begins with "must be". */
  readonly words: string;
  /** Absent when the text is no such value. */
  readonly read: (text: string) => Value | undefined;
}

const host: Kind<string> = {
  words: 'a host name or an IP address',
  read: (text) => (/^[^\s/]+$/.test(text) ? text : undefined),
};

const port: Kind<number> = {
  words: 'a port, from 0 to 65535',
  read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
};

const database: Kind<string> = {
  words: 'the path of a SQLite file, or file: and a path, with no host and no parameters',
  read: (text) => {
    const path = text.startsWith('file:') ? readFileUrl(text) : text;
    const isPath = path !== '' && path === path.trim() && path !== ':memory:' && !path.includes('\0');
    return isPath && !/^[a-z][a-z0-9+.-]+:\/\//i.test(path) ? path : undefined;
  },
};

/** The path in it, or nothing. */
const readFileUrl = (text: string): string => {
  if (/[?#]|%00/.test(text) || /^file:\/\/[^/]/.test(text)) return '';
  try {
    return text.startsWith('file://') ? fileURLToPath(text) : text.slice('file:'.length);
  } catch {
    return '';
  }
};

const logLevel: Kind<LogLevel> = {
  words: `one of ${logLevels.join(', ')}`,
  read: (text) => logLevels.find((known) => known === text),
};

const origins: Kind<readonly string[]> = {
  words: '* or a comma-separated list of origins, such as https://plants.example',
  read: (text) => {
    if (text.trim() === '') return [];
    const list = text.split(',').map((origin) => origin.trim());
    return text.trim() === '*' || list.every(isOrigin) ? list : undefined;
  },
};

const isOrigin = (text: string): boolean =>
  originForm.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** A URL may have a `*` in its host, but no browser sends one: it would look like a pattern and match nothing. */
const originForm = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

const boolean: Kind<boolean> = {
  words: 'true or false',
  read: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
};

const secret: Kind<string> = {
  words: secretWords,
  read: (text) => (isSecret(text) ? text : undefined),
};

const duration: Kind<number> = { words: durationForm, read: durationMsOf };
