/** All settings: `config.ts` reads them, and docs/settings.md is generated from them. */
import * as values from './setting-values.ts';
import * as tracing from './setting-values-tracing.ts';

export interface Setting<Value = unknown> {
  readonly name: string;
  /** The option of the command line that overrides the environment. */
  readonly flag?: string;
  /** The text that is parsed when the setting is omitted. Without a default, it is the empty text. */
  readonly default?: string;
  /** Whether an empty text counts as none. */
  readonly emptyIsNone?: true;
  readonly kind: values.Kind<Value>;
  /** One or two sentences for operators, in Markdown. */
  readonly meaning: string;
}

export const settings = {
  host: {
    name: 'HOST',
    flag: '--host',
    default: '127.0.0.1',
    kind: values.host,
    meaning: 'Address to listen on.',
  },
  port: {
    name: 'PORT',
    flag: '--port',
    default: '3000',
    kind: values.port,
    meaning: 'Port to listen on. 0 picks a free port; the log line `ready` has the `url`.',
  },
  database: {
    name: 'DATABASE_URL',
    flag: '--database',
    default: './data/plants.sqlite',
    kind: values.databaseOn(),
    meaning: 'Where the data is, also on [PostgreSQL](postgresql.md#the-url). `serve` creates a missing SQLite file.',
  },
  readOnly: {
    name: 'READ_ONLY',
    flag: '--read-only',
    default: 'false',
    kind: values.boolean,
    meaning: 'Whether nothing is written, as on a [standby](postgresql.md#reading-from-a-standby).',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    kind: values.logLevel,
    meaning: 'The lowest level that is logged. `warn` omits the line of each request.',
  },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    kind: values.origins,
    meaning:
      'Origins whose pages may call the service. `loopback` is all pages from this machine: `localhost`, 127.0.0.0/8 and `::1`, on any port. That is the default in development, and in a demo on a loopback address. CORS is off otherwise.',
  },
  webhookAllowPrivate: {
    name: 'WEBHOOK_ALLOW_PRIVATE',
    default: 'false',
    kind: values.boolean,
    meaning:
      'Whether webhooks may use http and addresses that are not public. The default is `true` in development, and in a demo on a loopback address that only pages from this machine may call.',
  },
  webhookSecret: {
    name: 'WEBHOOK_SECRET',
    flag: '--secret',
    kind: values.signingSecret,
    meaning: 'The secret with which `listen` verifies messages. Without it, nothing is verified.',
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    emptyIsNone: true,
    kind: values.rate,
    meaning: 'Number of requests that each token may start in a period, in each process. There is no limit by default.',
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    kind: values.networks,
    meaning:
      'Proxies whose `X-Forwarded-For` and `X-Forwarded-Prefix` are trusted, [for rate limits](operations.md#rate-limits), the log, and [below a path](operations.md#below-a-path).',
  },
  console: {
    name: 'CONSOLE',
    default: 'true',
    kind: values.boolean,
    meaning: 'Whether `/console` is [served](operations.md#the-console).',
  },
  eventRetention: {
    name: 'EVENT_RETENTION',
    default: '30d',
    kind: values.duration,
    meaning: 'How long events are kept, or longer while a webhook waits for them.',
  },
  backupFolder: {
    name: 'BACKUP_FOLDER',
    emptyIsNone: true,
    kind: values.folder,
    meaning:
      'Folder for the dated files of `backup`. `serve` has the time of the newest file in a [metric](metrics.md).',
  },
  shutdownDelay: {
    name: 'SHUTDOWN_DELAY',
    default: '0s',
    kind: values.delay,
    meaning:
      'How long a process that [stops](faults.md#stopping) still accepts requests, so that a load balancer notices.',
  },
  tracingEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    emptyIsNone: true,
    kind: tracing.collector,
    meaning: 'Where [traces](operations.md#traces) are exported. By default nothing is traced.',
  },
  tracingHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    emptyIsNone: true,
    kind: tracing.exportHeaders,
    meaning: 'Headers of each export, such as an API key.',
  },
  serviceName: {
    name: 'OTEL_SERVICE_NAME',
    emptyIsNone: true,
    kind: tracing.serviceName,
    meaning: 'Name of the service in traces. It is `plant-store` without it.',
  },
  resourceAttributes: {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    emptyIsNone: true,
    kind: tracing.pairs,
    meaning: 'Attributes of all traces.',
  },
  tracesSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    emptyIsNone: true,
    default: 'parentbased_always_on',
    kind: tracing.sampler,
    meaning: 'Which traces are exported.',
  },
  tracesSamplerRatio: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    emptyIsNone: true,
    default: '1',
    kind: tracing.ratio,
    meaning: 'The fraction of the traces that a sampler by trace id exports.',
  },
  isDevelopment: {
    name: 'NODE_ENV',
    kind: values.environmentName,
    meaning:
      '`run dev` sets `development`: `serve` then creates a token and prints commands to try. The single binary and the npm package ignore it.',
  },
} satisfies Record<string, Setting>;
