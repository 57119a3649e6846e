/** The command `settings`. */
import { expect, test } from 'bun:test';
import { settingNames } from '../../src/config/config.ts';
import { settings } from '../../src/config/settings.ts';
import { runCommand } from '../support/programs/command.ts';
import { startDemo } from '../support/programs/process.ts';
import { hasPostgres } from '../support/store/has-postgres.ts';

/** The value and the source of each setting. */
const read = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { exitCode, stdout, stderr } = await runCommand(['settings', ...args], { env: { NODE_ENV: '', ...env } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
  expect(rows.map(([name]) => name)).toEqual([...settingNames()]);
  return Object.fromEntries(rows.map(([name = '', ...rest]) => [name, rest.join(' ')]));
};

test('settings prints the default of each setting, or - without one', async () => {
  const defaults = Object.values(settings).map((setting) => [
    setting.name,
    setting.name === 'NODE_ENV' ? '- environment' : `${'default' in setting ? setting.default : '-'} default`,
  ]);
  expect(await read([])).toEqual(Object.fromEntries(defaults));
});

test('settings prints the value of a flag before that of the environment, and the source of each', async () => {
  const env = { HOST: '[::1]', PORT: '1', READ_ONLY: 'false', RATE_LIMIT: '5/1s', OTEL_SERVICE_NAME: '' };
  expect(await read(['--port', '4000', '--database', 'file:a.sqlite', '--read-only'], env)).toMatchObject({
    HOST: '::1 environment',
    PORT: '4000 flag',
    DATABASE_URL: 'a.sqlite flag',
    READ_ONLY: 'true flag',
    RATE_LIMIT: '5/1s environment',
    OTEL_SERVICE_NAME: '- default',
  });
});

test('settings names the mode that changes a default', async () => {
  const env = { NODE_ENV: 'development', DATABASE_URL: 'a.sqlite' };
  expect(await read([], env)).toMatchObject({
    CORS_ORIGINS: 'loopback development',
    WEBHOOK_ALLOW_PRIVATE: 'true development',
    NODE_ENV: 'development environment',
  });
  expect(await read([], { ...env, WEBHOOK_ALLOW_PRIVATE: 'false' })).toMatchObject({
    WEBHOOK_ALLOW_PRIVATE: 'false environment',
  });
  expect(await read(['--demo'], env)).toMatchObject({
    DATABASE_URL: 'memory demo',
    CORS_ORIGINS: 'loopback demo',
    WEBHOOK_ALLOW_PRIVATE: 'true demo',
  });
});

test.skipIf(!hasPostgres)('settings prints no secret', async () => {
  const secret = `whsec_${'hunter2'.repeat(4)}AAAA`;
  const shown = await read(['--database', 'postgres://hunter2:hunter2@h:5433,[::1]/plants?options=hunter2'], {
    WEBHOOK_SECRET: secret,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://hunter2:hunter2@collector.example/traces',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2,x-key=hunter2',
  });
  expect(shown).toMatchObject({
    DATABASE_URL: 'postgres://h:5433,[::1]:5432/plants flag',
    WEBHOOK_SECRET: 'whsec_… environment',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://…@collector.example/traces environment',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=…, x-key=… environment',
  });
  expect(JSON.stringify(shown)).not.toContain('hunter2');
});

test('settings and serve name a misspelt setting, without its value', async () => {
  const env = { WEBHOOK_SECRT: 'hunter2', SHUTDOWN_GRACE: 'hunter2' };
  const { exitCode, stderr } = await runCommand(['settings'], { env });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr:
      'WEBHOOK_SECRT is not a setting; the most similar one is WEBHOOK_SECRET.\nSHUTDOWN_GRACE is not a setting.\n',
  });
  await using demo = await startDemo({ env });
  expect(demo.log.filter(({ level }) => level === 'warn')).toMatchObject([
    {
      variables: [{ name: 'WEBHOOK_SECRT', similar: 'WEBHOOK_SECRET' }, { name: 'SHUTDOWN_GRACE' }],
      msg: 'misspelt settings',
    },
  ]);
  expect(JSON.stringify(demo.log)).not.toContain('hunter2');
});

test('settings refuses a value that serve would refuse, and escapes control characters', async () => {
  const refused = await runCommand(['settings'], { env: { PORT: 'http' } });
  expect(refused).toEqual({ exitCode: 2, stdout: '', stderr: 'plant-store: PORT must be 0–65535.\n' });
  expect(await read([], { DATABASE_URL: 'a\tb.sqlite' })).toMatchObject({
    DATABASE_URL: String.raw`a\u0009b.sqlite environment`,
  });
});
