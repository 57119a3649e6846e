/**
 * The only reader of the environment. Each setting comes from a flag, else from the environment, else from its default; all
 * are read at once, and one that does not parse stops the start and is named.
 */
import { fileURLToPath } from 'node:url';
import { durationForm, durationMsOf } from './base/duration.ts';
import { isSecret, secretWords } from './base/signature.ts';

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
  return Object.freeze({
    host: parse('HOST', flags.host ?? env['HOST'] ?? '127.0.0.1', parseHost),
    port: parse('PORT', flags.port ?? env['PORT'] ?? '3000', parsePort),
    database: parse('DATABASE_URL', flags.database ?? env['DATABASE_URL'] ?? './data/plants.sqlite', parseDatabase),
    logLevel: parse('LOG_LEVEL', env['LOG_LEVEL'] ?? 'info', parseLogLevel),
    corsOrigins: parse('CORS_ORIGINS', env['CORS_ORIGINS'] ?? '', parseOrigins),
    webhookAllowPrivate: parse(
      'WEBHOOK_ALLOW_PRIVATE',
      env['WEBHOOK_ALLOW_PRIVATE'] ?? `${isDevelopment}`,
      parseBoolean,
    ),
    ...(env['WEBHOOK_SECRET'] !== undefined && {
      webhookSecret: parse('WEBHOOK_SECRET', env['WEBHOOK_SECRET'], parseSecret),
    }),
    eventRetentionMs: parse('EVENT_RETENTION', env['EVENT_RETENTION'] ?? '30d', parseRetention),
    isDevelopment,
  });
};

/** The names of all settings. */
export const settings: readonly string[] = [
  'HOST',
  'PORT',
  'DATABASE_URL',
  'LOG_LEVEL',
  'CORS_ORIGINS',
  'WEBHOOK_ALLOW_PRIVATE',
  'WEBHOOK_SECRET',
  'EVENT_RETENTION',
  'NODE_ENV',
];

export type Environment = Readonly<Record<string, string | undefined>>;

/** `NODE_ENV` is spelled out because the build of the single binary replaces exactly these words by "production". */
const environment: Environment = { ...process.env, NODE_ENV: process.env.NODE_ENV };

/** Reads one value, or throws what it takes. */
type Parser<Value> = (text: string) => Value;

const parse = <Value>(setting: string, text: string, parser: Parser<Value>): Value => {
  try {
    return parser(text);
  } catch (error) {
    throw new SettingError(`${setting} ${error instanceof Error ? error.message : 'does not parse'}.`);
  }
};

const parseHost: Parser<string> = (text) => {
  if (!/^[^\s/]+$/.test(text)) throw new Error('must be a host name or an IP address');
  return text;
};

const parsePort: Parser<number> = (text) => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error('must be a port, from 0 to 65535');
  return port;
};

const parseDatabase: Parser<string> = (text) => {
  const path = text.startsWith('file:') ? readFileUrl(text) : text;
  const isPath = path !== '' && path === path.trim() && path !== ':memory:' && !path.includes('\0');
  if (!isPath || /^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw new Error('must be the path of a SQLite file, or file: and a path, with no host and no parameters');
  }
  return path;
};

/** The path in it, or nothing. */
const readFileUrl = (text: string): string => {
  if (/[?#]|%00/.test(text) || /^file:\/\/[^/]/.test(text)) return '';
  return text.startsWith('file://') ? fileURLToPath(text) : text.slice('file:'.length);
};

const parseLogLevel: Parser<LogLevel> = (text) => {
  const level = logLevels.find((known) => known === text);
  if (level === undefined) throw new Error(`must be one of ${logLevels.join(', ')}`);
  return level;
};

const parseOrigins: Parser<readonly string[]> = (text) => {
  const origins = text.split(',').map((origin) => origin.trim());
  if (text.trim() === '') return [];
  if (text.trim() !== '*' && !origins.every(isOrigin)) {
    throw new Error('must be * or a comma-separated list of origins, such as https://plants.example');
  }
  return origins;
};

const isOrigin = (text: string): boolean =>
  originForm.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** A URL may have a `*` in its host, but no browser sends one: it would look like a pattern and match nothing. */
const originForm = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

const parseBoolean: Parser<boolean> = (text) => {
  if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
  return text === 'true';
};

const parseSecret: Parser<string> = (text) => {
  if (!isSecret(text)) throw new Error(`must be ${secretWords}`);
  return text;
};

const parseRetention: Parser<number> = (text) => {
  const durationMs = durationMsOf(text);
  if (durationMs === undefined) throw new Error(`must be ${durationForm}`);
  return durationMs;
};
