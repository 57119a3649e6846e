/** The only reader of the environment. A flag comes before the environment, and that before the default. */
import { OperatorError } from './base/error.ts';
import { isLoopbackHost } from './base/loopback.ts';
import type { Pairs } from './base/otel.ts';
import { inMemory } from './setting-values.ts';
import { type Setting, settings } from './settings.ts';

export type Config = ReturnType<typeof readConfig>;

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
  const read = <Value>(setting: Setting<Value>, flag?: string, otherwise = setting.default): Value =>
    flag === undefined
      ? parse(setting.name, setting, env[setting.name] ?? otherwise)
      : parse(setting.flag ?? setting.name, setting, flag);
  const isDevelopment = read(settings.isDevelopment);
  const tracing = readTracing((setting) => read(setting, env[setting.name] || setting.default));
  const host = read(settings.host, flags.host);
  const isLocal = flags.demo ? isLoopbackHost(host) : isDevelopment;
  return Object.freeze({
    host,
    /** 0 lets the system choose a free port. */
    port: read(settings.port, flags.port),
    database: flags.demo ? inMemory : read(settings.database, flags.database),
    logLevel: read(settings.logLevel),
    /** The origins whose pages may call the service, or `*` alone. None turns CORS off. */
    corsOrigins: read(settings.corsOrigins),
    /** Whether webhooks may be sent over http and to private addresses. */
    webhookAllowPrivate: read(settings.webhookAllowPrivate, undefined, `${isLocal}`),
    /** The secret of `listen`. Absent when nothing is verified. */
    ...(env[settings.webhookSecret.name] !== undefined && { webhookSecret: read(settings.webhookSecret) }),
    /** How many requests a token may start in a time. Absent when they are not limited. */
    ...(env[settings.rateLimit.name] && { rateLimit: read(settings.rateLimit) }),
    /** The addresses and networks whose `X-Forwarded-For` is believed. */
    trustedProxies: read(settings.trustedProxies),
    eventRetentionMs: read(settings.eventRetention),
    /** How long a server that stops still takes requests. */
    shutdownDelayMs: read(settings.shutdownDelay),
    /** Absent when nothing is traced. */
    ...(tracing.endpoint !== '' && { tracing }),
    /** For local work `serve` makes a token and shows commands to try, and webhooks may be private. */
    isDevelopment,
  });
};

/** `name` is that of the setting, or the flag that has the text. */
const parse = <Value>(name: string, { kind }: Setting<Value>, text: string): Value => {
  try {
    const value = kind.read(text);
    if (value === undefined) throw new OperatorError(kind.words);
    return value;
  } catch (error) {
    throw error instanceof OperatorError ? new SettingError(`${name} must be ${error.message}.`) : error;
  }
};

/** Where spans are exported to, and which, by OpenTelemetry's own settings. An empty one counts as absent. */
const readTracing = (read: <Value>(setting: Setting<Value>) => Value) => {
  const resource: Pairs = {
    'service.name': 'plant-store',
    ...read(settings.resourceAttributes),
    ...read(settings.serviceName),
  };
  return {
    endpoint: read(settings.tracingEndpoint),
    headers: read(settings.tracingHeaders),
    resource,
    sampler: read(settings.tracesSampler),
    samplerRatio: read(settings.tracesSamplerRatio),
  };
};

/** The names of all settings in the environment. */
export const settingNames = (): readonly string[] => Object.values(settings).map(({ name }) => name);

export type Environment = Readonly<Record<string, string | undefined>>;

/** `NODE_ENV` is spelled out because the build of the single binary replaces exactly these words by "production". */
const environment: Environment = { ...process.env, NODE_ENV: process.env.NODE_ENV };

/** Bun would send it to PostgreSQL with each URL that has no options of its own. */
delete process.env['PGOPTIONS'];
