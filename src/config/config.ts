/** The only reader of the environment. A flag overrides it, and it overrides the default. `settings.ts` has the meaning of each setting. */
import { OperatorError } from '../base/error.ts';
import { isLoopbackHost, isLoopbackOrigin, loopbackOrigins } from '../base/network.ts';
import { showInvisible } from '../base/printable.ts';
import type { Engine } from '../store/engine.ts';
import { databaseOn, sqliteDatabase } from './setting-values.ts';
import type { Pairs } from './setting-values-tracing.ts';
import { type Setting, settings } from './settings.ts';

export type Config = ReturnType<typeof readConfig>;

/** Flags of the command line, before they are checked. */
export interface Flags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly database?: string | undefined;
  readonly readOnly?: boolean | undefined;
  /** Whether the store is that of the demo, without a database. */
  readonly demo?: boolean | undefined;
}

/** `message` names the setting and its valid values. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** Where a value comes from. `build` is the build of the program. `development` and `demo` are modes with a default of their own. */
export type Source = 'flag' | 'environment' | 'default' | 'build' | 'development' | 'demo';

/** Called with each setting. `text` is its value without secrets, or empty if it has none. */
export type OnRead = (name: string, text: string, source: Source) => void;

/** Throws SettingError for the first invalid setting. `engine` is the engine of the database, if that is a URL. */
export const readConfig = (flags: Flags, env: Environment, engine?: Engine, onRead: OnRead = () => {}) => {
  const mode = flags.demo ? 'demo' : 'development';
  const { read, readOptional } = createReader(env, mode, onRead);
  const isDevelopment =
    builtFor === undefined
      ? read(settings.isDevelopment)
      : createReader({}, 'build', onRead).read(settings.isDevelopment, undefined, builtFor);
  const tracing = readTracing(read);
  const host = read(settings.host, flags.host);
  const isLocalDemo = flags.demo === true && isLoopbackHost(host);
  const isLocal = flags.demo ? isLocalDemo : isDevelopment;
  const corsOrigins = read(settings.corsOrigins, undefined, isLocal ? loopbackOrigins : undefined);
  // The tokens of a demo are public, so each page that may call it can use its webhooks.
  const isOpenToSites =
    flags.demo === true && !corsOrigins.every((one) => one === loopbackOrigins || isLoopbackOrigin(one));
  const allowsPrivate = isLocal && !isOpenToSites ? 'true' : undefined;
  const webhookAllowPrivate = read(settings.webhookAllowPrivate, undefined, allowsPrivate);
  const webhookSecret = readOptional(settings.webhookSecret);
  const rateLimit = readOptional(settings.rateLimit);
  const backupFolder = readOptional(settings.backupFolder);
  if (flags.demo) onRead(settings.database.name, 'memory', mode);
  return Object.freeze({
    host,
    port: read(settings.port, flags.port),
    database: flags.demo
      ? sqliteDatabase(':memory:')
      : read({ ...settings.database, kind: databaseOn(engine) }, flags.database),
    isReadOnly: read(settings.readOnly, flags.readOnly ? 'true' : undefined),
    logLevel: read(settings.logLevel),
    /** The origins whose pages may call the service, with `loopback` for those from this machine, or `*` alone. None turns CORS off. */
    corsOrigins,
    webhookAllowPrivate,
    /** Whether the Host of every request must be a loopback address or `localhost`. */
    requiresLoopbackHost: isLocalDemo && webhookAllowPrivate,
    /** Whether the service has an inbox for its own webhooks. It needs no token, so in development only this machine may reach it. */
    hasInbox: flags.demo === true || (isDevelopment && isLoopbackHost(host)),
    ...(webhookSecret !== undefined && { webhookSecret }),
    ...(rateLimit && { rateLimit }),
    trustedProxies: read(settings.trustedProxies),
    hasConsole: read(settings.console),
    eventRetentionMs: read(settings.eventRetention),
    ...(backupFolder !== undefined && { backupFolder }),
    shutdownDelayMs: read(settings.shutdownDelay),
    ...(tracing.endpoint !== '' && { tracing }),
    isDevelopment,
  });
};

const createReader = (env: Environment, mode: Source, onRead: OnRead) => {
  const inEnvironment = ({ name, emptyIsNone }: Setting): string | undefined =>
    emptyIsNone ? env[name] || undefined : env[name];
  /** `inMode` is the default of the mode, if it has its own. */
  const read = <Value>(setting: Setting<Value>, flag?: string, inMode?: string): Value => {
    const fromEnvironment = inEnvironment(setting);
    const text = flag ?? fromEnvironment ?? inMode ?? setting.default ?? '';
    const value = parse((flag !== undefined && setting.flag) || setting.name, setting, text);
    const otherwise = inMode === undefined ? 'default' : mode;
    const source = flag !== undefined ? 'flag' : fromEnvironment !== undefined ? 'environment' : otherwise;
    onRead(setting.name, setting.kind.show?.(value) ?? text, source);
    return value;
  };
  /** Undefined for a setting that is not in the environment, and has no default. */
  const readOptional = <Value>(setting: Setting<Value>): Value | undefined => {
    if (inEnvironment(setting) !== undefined) return read(setting);
    onRead(setting.name, '', 'default');
    return undefined;
  };
  return { read, readOptional };
};

/** `name` is the setting or flag with the text. */
const parse = <Value>(name: string, { kind }: Setting<Value>, text: string): Value => {
  try {
    const value = kind.read(text);
    if (value === undefined) throw new OperatorError(kind.words);
    return value;
  } catch (error) {
    throw error instanceof OperatorError
      ? new SettingError(`${name} must be ${error.message}.${showInvisible(text)}`)
      : error;
  }
};

/** The export of spans, by OpenTelemetry's own settings. An empty one counts as omitted. */
const readTracing = (read: <Value>(setting: Setting<Value>) => Value) => {
  const serviceName = read(settings.serviceName);
  const resource: Pairs = {
    'service.name': 'plant-store',
    ...read(settings.resourceAttributes),
    ...(serviceName !== '' && { 'service.name': serviceName }),
  };
  return {
    endpoint: read(settings.tracingEndpoint),
    headers: read(settings.tracingHeaders),
    resource,
    sampler: read(settings.tracesSampler),
    samplerRatio: read(settings.tracesSamplerRatio),
  };
};

export const settingNames = (): readonly string[] => Object.values(settings).map(({ name }) => name);

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the process. */
export const environment: Environment = { ...process.env };

/** The build of the single binary and of the npm package replaces `process.env.NODE_ENV` by "production", and nothing else replaces it. */
const builtFor = process.env.NODE_ENV === environment['NODE_ENV'] ? undefined : process.env.NODE_ENV;

/** Bun would send this variable to PostgreSQL as `options` of each URL that has none. */
delete process.env['PGOPTIONS'];
