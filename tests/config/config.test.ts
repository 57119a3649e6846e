import { describe, expect, test } from 'bun:test';
import { readConfig, SettingError, settingNames } from '../../src/config/config.ts';
import { sqliteDatabase } from '../../src/config/setting-values.ts';

test('every setting has a default', () => {
  expect(readConfig({}, {})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    database: sqliteDatabase('./data/plants.sqlite'),
    isReadOnly: false,
    logLevel: 'info',
    corsOrigins: [],
    webhookAllowPrivate: false,
    requiresLoopbackHost: false,
    hasInbox: false,
    trustedProxies: [],
    hasConsole: true,
    eventRetentionMs: 30 * 86_400_000,
    shutdownDelayMs: 0,
    isDevelopment: false,
  });
});

/** An environment with every setting. */
const everything = {
  HOST: '::1',
  PORT: '1',
  DATABASE_URL: 'file:a',
  READ_ONLY: 'true',
  LOG_LEVEL: 'warn',
  CORS_ORIGINS: 'https://a.example, http://localhost:5173, http://[::1]:8080',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}`,
  RATE_LIMIT: '100/1m',
  TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16,fd00::/8',
  EVENT_RETENTION: '1h',
  CONSOLE: 'false',
  BACKUP_FOLDER: '/var/backups/plants',
  SHUTDOWN_DELAY: '300s',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318/base',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, x-key = 1',
  OTEL_SERVICE_NAME: 'plants',
  OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,place=a%2Cb',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.25',
  NODE_ENV: 'development',
};

test('a flag comes before the environment, and the environment before the defaults', () => {
  expect(readConfig({}, everything)).toEqual({
    host: '::1',
    port: 1,
    database: sqliteDatabase('a'),
    isReadOnly: true,
    logLevel: 'warn',
    corsOrigins: ['https://a.example', 'http://localhost:5173', 'http://[::1]:8080'],
    webhookAllowPrivate: true,
    requiresLoopbackHost: false,
    hasInbox: true,
    webhookSecret: `whsec_${'A'.repeat(32)}`,
    rateLimit: { count: 100, windowMs: 60_000 },
    trustedProxies: ['10.0.0.1', '192.168.0.0/16', 'fd00::/8'],
    hasConsole: false,
    eventRetentionMs: 3_600_000,
    backupFolder: '/var/backups/plants',
    shutdownDelayMs: 300_000,
    tracing: {
      endpoint: 'https://collector.example:4318/base',
      headers: { authorization: 'Basic YQ==', 'x-key': '1' },
      resource: { 'service.name': 'plants', place: 'a,b' },
      sampler: 'parentbased_traceidratio',
      samplerRatio: 0.25,
    },
    isDevelopment: true,
  });
  expect(readConfig({ host: 'h', port: '0', database: 'b' }, everything)).toMatchObject({
    host: 'h',
    port: 0,
    database: sqliteDatabase('b'),
  });
});

test.each([
  ['::1', '::1'],
  ['[::1]', '::1'],
  ['[2001:DB8::1]', '2001:DB8::1'],
  ['[::ffff:127.0.0.1]', '::ffff:127.0.0.1'],
  ['127.1', '127.0.0.1'],
  ['0', '0.0.0.0'],
  ['plants_1.internal', 'plants_1.internal'],
  ['bücher.example.', 'bücher.example.'],
])('the host %s is %s as a setting and as a flag', (text, host) => {
  expect(readConfig({}, { HOST: text }).host).toBe(host);
  expect(readConfig({ host: text }, {}).host).toBe(host);
});

test('addresses in brackets have the same meaning as without', () => {
  const bracketed = { TRUSTED_PROXIES: '[::1],[fd00::]/8, 10.0.0.1' };
  expect(readConfig({}, bracketed)).toEqual(readConfig({}, { TRUSTED_PROXIES: '::1,fd00::/8,10.0.0.1' }));
});

test('webhooks may be private in development by default', () => {
  const env = { NODE_ENV: 'development' };
  expect(readConfig({}, env).webhookAllowPrivate).toBe(true);
  expect(readConfig({}, { ...env, WEBHOOK_ALLOW_PRIVATE: 'false' }).webhookAllowPrivate).toBe(false);
});

test('webhooks may be private in a demo on a loopback address by default', () => {
  const isPrivate = (env: Record<string, string>) => readConfig({ demo: true }, env).webhookAllowPrivate;
  expect([isPrivate({}), isPrivate({ HOST: '::1' }), isPrivate({ HOST: '0.0.0.0' })]).toEqual([true, true, false]);
  expect(isPrivate({ WEBHOOK_ALLOW_PRIVATE: 'false' })).toBe(false);
  // Everyone knows its token, in development too.
  expect(isPrivate({ HOST: '0.0.0.0', NODE_ENV: 'development' })).toBe(false);
});

test('webhooks of a demo must be public by default if pages of other machines may call it', () => {
  const isPrivate = (env: Record<string, string>, demo = true) => readConfig({ demo }, env).webhookAllowPrivate;
  for (const origins of [
    '*',
    'https://plants.example',
    'loopback, https://plants.example',
    'http://localhost.example',
  ]) {
    expect([origins, isPrivate({ CORS_ORIGINS: origins })]).toEqual([origins, false]);
    expect(isPrivate({ CORS_ORIGINS: origins, WEBHOOK_ALLOW_PRIVATE: 'true' })).toBe(true);
    // Its token is not public.
    expect(isPrivate({ CORS_ORIGINS: origins, NODE_ENV: 'development' }, false)).toBe(true);
  }
  for (const origins of ['', 'loopback', 'http://localhost:5173', 'https://127.0.0.2, http://[::1]:1'])
    expect([origins, isPrivate({ CORS_ORIGINS: origins })]).toEqual([origins, true]);
});

test('the Host of a request must be a loopback address in a demo whose webhooks may be private', () => {
  const isRequired = (env: Record<string, string>, demo = true) => readConfig({ demo }, env).requiresLoopbackHost;
  expect([isRequired({}), isRequired({ CORS_ORIGINS: '*', WEBHOOK_ALLOW_PRIVATE: 'true' })]).toEqual([true, true]);
  expect([isRequired({ WEBHOOK_ALLOW_PRIVATE: 'false' }), isRequired({ HOST: '0.0.0.0' })]).toEqual([false, false]);
  expect(isRequired({ NODE_ENV: 'development' }, false)).toBe(false);
});

test('pages from this machine may call a demo on a loopback address, and a service in development, by default', () => {
  const originsOf = (env: Record<string, string>, demo = true) => readConfig({ demo }, env).corsOrigins;
  expect([originsOf({}), originsOf({ HOST: '::1' })]).toEqual([['loopback'], ['loopback']]);
  expect(originsOf({ NODE_ENV: 'development' }, false)).toEqual(['loopback']);
  expect([originsOf({ HOST: '0.0.0.0' }), originsOf({}, false), originsOf({ NODE_ENV: 'production' }, false)]).toEqual([
    [],
    [],
    [],
  ]);
  expect(originsOf({ HOST: '0.0.0.0', NODE_ENV: 'development' })).toEqual([]);
  expect([originsOf({ CORS_ORIGINS: '' }), originsOf({ CORS_ORIGINS: 'https://plants.example' })]).toEqual([
    [],
    ['https://plants.example'],
  ]);
});

test.each([
  ['1/1s', { count: 1, windowMs: 1000 }],
  ['1000000/30d', { count: 1_000_000, windowMs: 30 * 86_400_000 }],
  ['', undefined],
])('the rate limit %p is read as %p', (text, rateLimit) => {
  expect(readConfig({}, { RATE_LIMIT: text }).rateLimit).toEqual(rateLimit);
});

test('a configuration cannot be changed', () => {
  expect(Object.isFrozen(readConfig({}, {}))).toBe(true);
});

describe('DATABASE_URL', () => {
  test.each([
    ['a.sqlite', 'a.sqlite'],
    ['./data/a b.sqlite', './data/a b.sqlite'],
    ['file:data/a.sqlite', 'data/a.sqlite'],
    ['file:/var/a.sqlite', '/var/a.sqlite'],
    ['file:///var/a%20b.sqlite', '/var/a b.sqlite'],
    ['C:\\plants.sqlite', 'C:\\plants.sqlite'],
    ['/srv/at 10:30/me@home/k=v/a.sqlite', '/srv/at 10:30/me@home/k=v/a.sqlite'],
    ['file:plants:2/a.sqlite', 'plants:2/a.sqlite'],
    ['file:"a".sqlite', '"a".sqlite'],
    ['file:///10%3A30@home/a.sqlite', '/10:30@home/a.sqlite'],
  ])('%s as the database is the path %s', (text, path) => {
    expect(readConfig({}, { DATABASE_URL: text }).database).toEqual(sqliteDatabase(path));
  });
});

describe('tracing', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

  test('is off without a collector, and an empty setting of OpenTelemetry counts as none', () => {
    const empty = Object.fromEntries(
      Object.keys(everything)
        .filter((name) => /^OTEL/.test(name))
        .map((name) => [name, '']),
    );
    expect(readConfig({}, empty)).toEqual(readConfig({}, {}));
    expect(readConfig({}, { ...empty, ...endpoint })).toEqual(readConfig({}, endpoint));
  });

  test('samples every trace that the client samples, under the name of the program, by default', () => {
    expect(readConfig({}, endpoint).tracing).toEqual({
      endpoint: 'http://127.0.0.1:4318',
      headers: {},
      resource: { 'service.name': 'plant-store' },
      sampler: 'parentbased_always_on',
      samplerRatio: 1,
    });
    const attributes = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=other' };
    expect(readConfig({}, { ...endpoint, ...attributes }).tracing?.resource).toEqual({ 'service.name': 'other' });
  });
});

describe('a value that does not parse', () => {
  test.each([
    ['WEBHOOK_ALLOW_PRIVATE', ''],
    ['WEBHOOK_ALLOW_PRIVATE', 'yes'],
    ['WEBHOOK_ALLOW_PRIVATE', 'TRUE'],
    ['EVENT_RETENTION', ''],
    ['EVENT_RETENTION', '30'],
    ['EVENT_RETENTION', '0d'],
    ['EVENT_RETENTION', '36501d'],
    ['RATE_LIMIT', '100'],
    ['RATE_LIMIT', '0/1s'],
    ['RATE_LIMIT', '-1/1s'],
    ['RATE_LIMIT', '1.5/1s'],
    ['RATE_LIMIT', '01/1s'],
    ['RATE_LIMIT', '1000001/1s'],
    ['RATE_LIMIT', '100/0s'],
    ['RATE_LIMIT', '100/1'],
    ['RATE_LIMIT', '100/s'],
    ['RATE_LIMIT', '100/100ms'],
    ['RATE_LIMIT', '100/31d'],
    ['RATE_LIMIT', '100/1s/1s'],
    ['RATE_LIMIT', ' 100/1s'],
    ['RATE_LIMIT', 'off'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TRUSTED_PROXIES', '10.0.0.1,'],
    ['TRUSTED_PROXIES', '10.0.0.1 10.0.0.2'],
    ['TRUSTED_PROXIES', '10.0.0.1:80'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.0/'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '::/129'],
    ['TRUSTED_PROXIES', 'fe80::1%eth0'],
    ['TRUSTED_PROXIES', '*'],
    ['TRUSTED_PROXIES', '[10.0.0.1]'],
    ['TRUSTED_PROXIES', '[fd00::/8]'],
    ['TRUSTED_PROXIES', '[::1'],
    ['SHUTDOWN_DELAY', ''],
    ['SHUTDOWN_DELAY', '5'],
    ['SHUTDOWN_DELAY', '-1s'],
    ['SHUTDOWN_DELAY', '1m'],
    ['SHUTDOWN_DELAY', '301s'],
    ['PORT', ''],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '1.5'],
    ['PORT', '65536'],
    ['PORT', '0x10'],
    ['HOST', ''],
    ['HOST', 'a b'],
    ['HOST', 'http://a'],
    ['HOST', 'u:p@a'],
    ['HOST', '*'],
    ['HOST', ' ::1'],
    ['HOST', '[]'],
    ['HOST', '[::1'],
    ['HOST', '::1]'],
    ['HOST', '[[::1]]'],
    ['HOST', '[::1]:3000'],
    ['HOST', 'localhost:3000'],
    ['HOST', '[localhost]'],
    ['HOST', '[127.0.0.1]'],
    ['HOST', '::g'],
    ['HOST', '1.2.3.4.5'],
    ['HOST', '256.0.0.1'],
    ['HOST', 'fe80::1%eth0'],
    ['HOST', '[fe80::1%25eth0]'],
    ['HOST', '*.example'],
    ['HOST', 'a..example'],
    ['HOST', '-a'],
    ['HOST', `${'a'.repeat(64)}.example`],
    ['HOST', 'a.'.repeat(127)],
    ['LOG_LEVEL', 'loud'],
    ['LOG_LEVEL', ''],
    ['CORS_ORIGINS', 'a.example'],
    ['CORS_ORIGINS', 'https://a.example/'],
    ['CORS_ORIGINS', 'https://a.example,*'],
    ['CORS_ORIGINS', 'https://A.example'],
    ['CORS_ORIGINS', 'file:///a'],
    ['CORS_ORIGINS', 'https://*.example'],
    ['CORS_ORIGINS', 'https://a.example,https://*'],
    ['CORS_ORIGINS', 'https://a.example:*'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'http://localhost:0'],
    ['CORS_ORIGINS', 'http://localhost:65536'],
    ['CORS_ORIGINS', '*, loopback'],
    ['CORS_ORIGINS', 'LOOPBACK'],
    ['WEBHOOK_SECRET', ''],
    ['WEBHOOK_SECRET', 'secret'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://::1:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://*:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://a..b:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://[fe80::1%25eth0]:4318'],
    ['CORS_ORIGINS', 'http://::1:8080'],
    ['CORS_ORIGINS', 'http://256.0.0.1'],
    ['CORS_ORIGINS', 'https://a..example'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://[::1]:4318\r'],
    ['OTEL_SERVICE_NAME', 'plants\r'],
    ['NODE_ENV', 'development\r'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:0'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/?key=1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key'],
    ['OTEL_EXPORTER_OTLP_HEADERS', '=value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=%zz'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=a%0D%0Aother: 1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a(b=1'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'key'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'key=%ff'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
    ['OTEL_TRACES_SAMPLER_ARG', 'all'],
    ['DATABASE_URL', ''],
    ['DATABASE_URL', ':memory:'],
    ['DATABASE_URL', 'postgres:/u:p@h/d'],
    ['DATABASE_URL', 'postgres//u:p@h/d'],
    ['DATABASE_URL', 'Postgres://u:p@h/d'],
    ['DATABASE_URL', 'mysql://u:p@h/d'],
    ['DATABASE_URL', '"plants.sqlite"'],
    ['DATABASE_URL', 'plants:2/a.sqlite'],
    ['DATABASE_URL', 'host=h user=u'],
    ['DATABASE_URL', 'file:postgres://u:p@h/d'],
    ['DATABASE_URL', 'file:///postgres://u:p@h/d'],
    ['DATABASE_URL', 'file:'],
    ['DATABASE_URL', 'file::memory:'],
    ['DATABASE_URL', 'file:///a%00b'],
    ['DATABASE_URL', 'file:///a%2Fb'],
    ['DATABASE_URL', ' '],
    ['DATABASE_URL', 'a.sqlite '],
    ['DATABASE_URL', 'file:a?mode=ro'],
    ['DATABASE_URL', 'file://elsewhere/a'],
  ])('the setting %s=%p is refused by its name', (setting, text) => {
    expect(() => readConfig({}, { [setting]: text })).toThrow(SettingError);
    expect(() => readConfig({}, { [setting]: text })).toThrow(new RegExp(`^${setting} must be `));
  });
});

describe('a message that refuses a value', () => {
  const messageOf = (name: string, text: string): string => {
    try {
      return JSON.stringify(readConfig({}, { [name]: text }));
    } catch (error) {
      return error instanceof SettingError ? error.message : String(error);
    }
  };

  // These three ignore spaces around an item.
  const trimmed = ['CORS_ORIGINS', 'OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_RESOURCE_ATTRIBUTES', 'TRUSTED_PROXIES'];

  test.each(Object.entries(everything))('shows the carriage return after %s=%s', (name, text) => {
    if (trimmed.includes(name))
      expect(readConfig({}, { [name]: `${text}\r` })).toEqual(readConfig({}, { [name]: text }));
    else
      expect(messageOf(name, `${text}\r`)).toMatch(
        /\. The value contains \\u000d, as after a line of a Windows file\.$/,
      );
  });

  test.each([
    ['PORT', '\t3000', String.raw`\u0009`],
    ['PORT', '30\u200b00', String.raw`\u200b`],
    ['HOST', '\ufefflocalhost', String.raw`\ufeff`],
    ['READ_ONLY', '\u00a0true\u2028\u001b', String.raw`\u00a0, \u2028, \u001b`],
    ['LOG_LEVEL', '\u{e0061}info', String.raw`\udb40\udc61`],
  ])('shows the invisible characters of %s=%j', (name, text, shown) => {
    expect(messageOf(name, text)).toEndWith(`. The value contains ${shown}.`);
  });

  test('mentions spaces at the ends, and nothing more of a value without any', () => {
    expect(messageOf('PORT', '3000 ')).toBe('PORT must be 0–65535. The value begins or ends with a space.');
    expect(messageOf('PORT', '3 000')).toBe('PORT must be 0–65535.');
  });
});

test.each(settingNames())('an error of the setting %s does not repeat its value', (setting) => {
  for (const text of ['hunter2=%zz', 'whsec_hunter2', 'http://u:hunter2@h?', 'a: hunter2\n', 'postgres//u:hunter2@h']) {
    try {
      readConfig({}, { [setting]: text });
    } catch (error) {
      expect(error).toBeInstanceOf(SettingError);
      expect(String(error)).not.toContain('hunter2');
    }
  }
});

test('a URL of PostgreSQL is refused without its engine, and its password is not repeated', () => {
  expect(() => readConfig({}, { DATABASE_URL: 'postgres://u:hunter2@h/d' })).toThrow(
    /^DATABASE_URL must be the path of a SQLite file: this program has no engine for PostgreSQL\.$/,
  );
});

test('the listed settings are all those that the environment can set, and all that are read', () => {
  expect([...settingNames()].sort()).toEqual(Object.keys(everything).sort());
  const read = new Set<string>();
  readConfig({}, new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  expect([...read].sort()).toEqual(Object.keys(everything).sort());
});
