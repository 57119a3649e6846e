/** The only reader of the environment. A flag comes before the environment, and that before the default. */
import { fileURLToPath } from 'node:url';
import { OperatorError } from './base/error.ts';
import { isLoopbackHost } from './base/loopback.ts';
import { isNetwork } from './base/network.ts';
import { collector, headers, type Pairs, pairs, ratio, sampler, serviceName } from './base/otel.ts';
import { isPostgresUrl, type PostgresTarget, parsePostgresUrl } from './base/postgres-url.ts';
import { isSecret, secretWords } from './base/signature.ts';
import { durationForm, durationMsOf } from './base/time.ts';
import { type Rate, rateCountMax, rateWindowDaysMax } from './base/token-bucket.ts';

export type Config = ReturnType<typeof readConfig>;

/** The database, by its engine. */
export type Database =
  | { readonly engine: 'sqlite'; readonly path: string }
  | { readonly engine: 'postgres'; readonly target: PostgresTarget };

const inMemory: Database = { engine: 'sqlite', path: ':memory:' };

/** Flags of the command line, not checked yet. */
export interface Flags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly database?: string | undefined;
  /** Whether the store is the demo's, and no database is used. */
  readonly demo?: boolean | undefined;
}

/** `message` names the setting and the values that it takes. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Throws SettingError for the first setting that does not parse. */
export const readConfig = (flags: Flags = {}, env: Environment = environment) => {
  const isDevelopment = env['NODE_ENV'] === 'development';
  const read = <Value>(setting: string, kind: Kind<Value>, otherwise: string, flag?: string): Value => {
    const value = kind.read(flag ?? env[setting] ?? otherwise);
    if (value === undefined) throw new SettingError(`${setting} must be ${kind.words}.`);
    return value;
  };
  const tracing = readTracing((setting, kind, otherwise) => read(setting, kind, otherwise, env[setting] || otherwise));
  const hostName = read('HOST', host, '127.0.0.1', flags.host);
  const isLocal = flags.demo ? isLoopbackHost(hostName) : isDevelopment;
  return Object.freeze({
    host: hostName,
    /** 0 lets the system choose a free port. */
    port: read('PORT', port, '3000', flags.port),
    database: flags.demo ? inMemory : read('DATABASE_URL', database, './data/plants.sqlite', flags.database),
    logLevel: read('LOG_LEVEL', logLevel, 'info'),
    /** The origins whose pages may call the service, or `*` alone. None turns CORS off. */
    corsOrigins: read('CORS_ORIGINS', origins, ''),
    /** Whether webhooks may be sent over http and to private addresses. */
    webhookAllowPrivate: read('WEBHOOK_ALLOW_PRIVATE', boolean, `${isLocal}`),
    /** The secret of `listen`. Absent when nothing is verified. */
    ...(env['WEBHOOK_SECRET'] !== undefined && { webhookSecret: read('WEBHOOK_SECRET', secret, '') }),
    /** How many requests a token may start in a time. Absent when they are not limited. */
    ...(env['RATE_LIMIT'] && { rateLimit: read('RATE_LIMIT', rate, '') }),
    /** The addresses and networks whose `X-Forwarded-For` is believed. */
    trustedProxies: read('TRUSTED_PROXIES', networks, ''),
    eventRetentionMs: read('EVENT_RETENTION', duration, '30d'),
    /** How long a server that stops still takes requests. */
    shutdownDelayMs: read('SHUTDOWN_DELAY', delay, '0s'),
    /** Absent when nothing is traced. */
    ...(tracing.endpoint !== '' && { tracing }),
    /** For local work `serve` makes a token and shows commands to try, and webhooks may be private. */
    isDevelopment,
  });
};

/** Where spans are exported to, and which, by OpenTelemetry's own settings. An empty one counts as absent. */
const readTracing = (read: <Value>(setting: string, kind: Kind<Value>, otherwise: string) => Value) => {
  const resource: Pairs = {
    'service.name': 'plant-store',
    ...read('OTEL_RESOURCE_ATTRIBUTES', pairs, ''),
    ...read('OTEL_SERVICE_NAME', serviceName, ''),
  };
  return {
    endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', collector, ''),
    headers: read('OTEL_EXPORTER_OTLP_HEADERS', headers, ''),
    resource,
    sampler: read('OTEL_TRACES_SAMPLER', sampler, 'parentbased_always_on'),
    samplerRatio: read('OTEL_TRACES_SAMPLER_ARG', ratio, '1'),
  };
};

/** The names of all settings that `readConfig` looks up. */
export const settingNames = (): readonly string[] => {
  const names = new Set<string>();
  readConfig({}, new Proxy<Environment>({}, { get: (_, name) => void names.add(String(name)) }));
  return [...names];
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** `NODE_ENV` is spelled out because the build of the single binary replaces exactly these words by "production". */
const environment: Environment = { ...process.env, NODE_ENV: process.env.NODE_ENV };

/** Bun would send it to PostgreSQL with each URL that has no options of its own. */
delete process.env['PGOPTIONS'];

interface Kind<Value> {
  /** The accepted values, as the end of a sentence that begins with "must be". */
  readonly words: string;
  /** Absent when the text is not accepted. */
  readonly read: (text: string) => Value | undefined;
}

const host: Kind<string> = { words: 'a host name or an IP address', read: (text) => /^[^\s/]+$/.exec(text)?.[0] };

const port: Kind<number> = {
  words: 'a port, from 0 to 65535',
  read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
};

const database: Kind<Database> = {
  words: 'the path of a SQLite file, file: and a path with no host and no parameters, or postgres://user@host/database',
  read: (text) => {
    if (isPostgresUrl(text)) return { engine: 'postgres', target: readPostgresUrl(text) };
    const path = text.startsWith('file:') ? readFileUrl(text) : text;
    const isPath = path !== '' && path === path.trim() && path !== ':memory:' && !path.includes('\0');
    return isPath && !looksLikeUrl.test(path) ? { engine: 'sqlite', path } : undefined;
  },
};

/** Also a misspelt URL of PostgreSQL, whose password would become the name of a file. */
const looksLikeUrl = /^[a-z][a-z0-9+.-]+:\/\/|^postgres(?:ql)?(?::|\/\/)/i;

const readPostgresUrl = (text: string): PostgresTarget => {
  try {
    return parsePostgresUrl(text);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new SettingError(`DATABASE_URL must be a valid PostgreSQL URL: ${error.message}.`);
  }
};

/** Empty when the URL has no path that can be used. */
const readFileUrl = (text: string): string => {
  if (/[?#]|%00/.test(text) || /^file:\/\/[^/]/.test(text)) return '';
  try {
    return text.startsWith('file://') ? fileURLToPath(text) : text.slice('file:'.length);
  } catch {
    return '';
  }
};

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const logLevel: Kind<(typeof logLevels)[number]> = {
  words: `one of ${logLevels.join(', ')}`,
  read: (text) => logLevels.find((known) => known === text),
};

const origins: Kind<readonly string[]> = {
  words: '* or a comma-separated list of origins, such as https://plants.example',
  read: (text) => {
    const list = listOf(text);
    return text.trim() === '*' || list.every(isOrigin) ? list : undefined;
  },
};

/** The items of a comma-separated list, which may be empty. */
const listOf = (text: string): readonly string[] =>
  text.trim() === '' ? [] : text.split(',').map((item) => item.trim());

const isOrigin = (text: string): boolean =>
  originForm.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** A `*` in a host is a valid URL, but would look like a pattern and match nothing. */
const originForm = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

const boolean: Kind<boolean> = {
  words: 'true or false',
  read: (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
};

const secret: Kind<string> = { words: secretWords, read: (text) => (isSecret(text) ? text : undefined) };
const duration: Kind<number> = { words: durationForm, read: durationMsOf };

const delaySecondsMax = 300;

const delay: Kind<number> = {
  words: `a number of seconds, such as 5s, from 0s to ${delaySecondsMax}s`,
  read: (text) => {
    const seconds = Number(/^(\d{1,3})s$/.exec(text)?.[1]);
    return seconds <= delaySecondsMax ? seconds * 1000 : undefined;
  },
};

const rate: Kind<Rate> = {
  words: `a number of requests from 1 to ${rateCountMax}, a slash, and a time in s, m, h or d of at most ${rateWindowDaysMax}d, such as 100/1s`,
  read: (text) => {
    const [, count = '', window = ''] = /^([1-9]\d{0,6})\/(\w+)$/.exec(text) ?? [];
    const windowMs = durationMsOf(window);
    if (windowMs === undefined || windowMs > rateWindowDaysMax * 86_400_000) return undefined;
    return Number(count) <= rateCountMax ? { count: Number(count), windowMs } : undefined;
  },
};

const networks: Kind<readonly string[]> = {
  words: 'a comma-separated list of addresses and networks, such as 10.0.0.1, fd00::/8',
  read: (text) => {
    const list = listOf(text);
    return list.every(isNetwork) ? list : undefined;
  },
};
