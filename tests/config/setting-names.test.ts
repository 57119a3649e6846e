import { expect, test } from 'bun:test';
import { settingNames } from '../../src/config/config.ts';
import { misspeltSettings } from '../../src/config/setting-names.ts';

const misspelt = (...names: readonly string[]) =>
  misspeltSettings(Object.fromEntries(names.map((name) => [name, 'x']))).map(({ name, similar = '-' }) => [
    name,
    similar,
  ]);

test('no setting is misspelt', () => {
  expect(misspelt(...settingNames())).toEqual([]);
});

test.each([
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['RATE_LIMITS', 'RATE_LIMIT'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['log_level', 'LOG_LEVEL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['WEBHOOKS_ALLOW_PRIVATE', 'WEBHOOK_ALLOW_PRIVATE'],
  ['EVENTS_RETENTION', 'EVENT_RETENTION'],
  ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
  ['READONLY', 'READ_ONLY'],
  ['PLANT_STORE_PORT', 'PORT'],
  ['PLANTSTORE_LOG_LEVEL', 'LOG_LEVEL'],
  ['OTEL_EXPORTER_OTLP_ENDPIONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['WEBHOOK_TIMEOUT', '-'],
  ['SHUTDOWN_GRACE', '-'],
  ['DATABASE_PASSWORD', '-'],
])('%s is misspelt, and the most similar setting is %s', (name, similar) => {
  expect(misspelt('PATH', name, 'HOME')).toEqual([[name, similar]]);
});

test.each([
  [
    'a shell',
    'HOME HOST HOSTNAME HOSTTYPE LANG LOGNAME MAIL PATH PWD SHELL SHLVL TERM TZ USER _ LC_ALL EDITOR http_proxy NO_PROXY SSH_CONNECTION',
  ],
  [
    'systemd',
    'INVOCATION_ID JOURNAL_STREAM LISTEN_FDS LOGS_DIRECTORY MEMORY_PRESSURE_WATCH NOTIFY_SOCKET STATE_DIRECTORY SYSTEMD_EXEC_PID CONSOLE',
  ],
  [
    'npm, Node.js, Bun and Deno',
    'npm_config_loglevel npm_config_user_agent npm_lifecycle_event npm_package_version NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_USE_ENV_PROXY NODENV_ROOT BUN_INSTALL DENO_DIR',
  ],
  [
    'OpenTelemetry',
    'OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_TRACES_HEADERS OTEL_EXPORTER_OTLP_INSECURE OTEL_LOG_LEVEL OTEL_TRACES_EXPORTER OTEL_SDK_DISABLED OTEL_BSP_SCHEDULE_DELAY',
  ],
  ['PostgreSQL', 'PGHOST PGPORT PGDATABASE PGOPTIONS POSTGRES_PASSWORD POSTGRES_DB'],
  ['GitHub Actions', 'CI GITHUB_EVENT_PATH GITHUB_REF_PROTECTED RUNNER_TEMP ImageOS PLANT_STORE_PACKAGE'],
  [
    'Kubernetes, with services named plant-store, database, webhook and event-bus',
    [
      'KUBERNETES_SERVICE_HOST KUBERNETES_PORT KUBERNETES_PORT_443_TCP_ADDR HOST_IP',
      ...['PLANT_STORE', 'DATABASE', 'WEBHOOK', 'EVENT_BUS'].map(
        (name) =>
          `${name}_SERVICE_HOST ${name}_SERVICE_PORT ${name}_SERVICE_PORT_HTTP ${name}_PORT ${name}_PORT_80_TCP ${name}_PORT_80_TCP_PROTO`,
      ),
    ].join(' '),
  ],
  [
    'Docker, with a link to a container named database',
    'DATABASE_PORT DATABASE_NAME DATABASE_PORT_5432_TCP DATABASE_PORT_5432_TCP_ADDR DATABASE_ENV_LANG',
  ],
])('nothing is misspelt in the environment of %s', (_name, names) => {
  expect(misspelt(...names.split(' '))).toEqual([]);
});
