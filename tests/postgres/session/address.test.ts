/** The connections to an address, to a server with TLS and without. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgres } from '#runtime/postgres/driver';
import { OperatorError } from '../../../src/base/error.ts';
import { parsePostgresUrl } from '../../../src/postgres/driver/url.ts';
import { addressesOf } from '../../../src/postgres/session/address.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/postgres-server.ts';
import { executableOf, type RuntimeName, runtimeNames } from '../../support/programs/runtimes.ts';

const fixture = (file: string): string => join(import.meta.dir, 'fixtures', file);

const ca = 'sslrootcert=ca.cert.pem';
const otherCa = 'sslrootcert=other-ca.cert.pem';

/** Parameters contain only the name of a fixture file. */
const withFixtures = (parameters: string): string => parameters.replaceAll(/(?<==)[\w.-]+\.(?:pem|md)/g, fixture);

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
  const data = join(server.folder, 'data');
  const { uid, gid } = statSync(data);
  for (const file of ['ca.cert.pem', 'server.cert.pem', 'server.key.pem']) {
    const copy = join(data, file);
    copyFileSync(fixture(file), copy);
    chownSync(copy, uid, gid);
    chmodSync(copy, 0o600);
  }
  await query(
    `postgres://plant@127.0.0.1:${server.port}/postgres`,
    "create role gardener login; create role keeper login password 'a b'",
  );
  const rules = join(data, 'pg_hba.conf');
  const first = ['hostssl all gardener all cert', 'host all keeper all scram-sha-256'];
  writeFileSync(rules, [...first, readFileSync(rules, 'utf8')].join('\n'));
  await server.stop();
});

afterAll(() => server[Symbol.asyncDispose]());

const start = (ssl: 'on' | 'off'): Promise<void> =>
  server.start({
    ssl,
    ssl_cert_file: 'server.cert.pem',
    ssl_key_file: 'server.key.pem',
    ssl_ca_file: 'ca.cert.pem',
    unix_socket_directories: join(server.folder, 'data'),
  });

/** Runs it on a separate connection. */
const query = async (url: string, text: string): Promise<Record<string, unknown>> => {
  const [address] = addressesOf(parsePostgresUrl(url));
  if (!address) throw new Error(`${url} has no host.`);
  const connection = postgres.connect(address);
  try {
    const [row = {}] = await (await connection.opened).simple(text);
    return row;
  } finally {
    connection.close();
  }
};

const kindQuery = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';

/** What `address-connect.ts` prints in a process of this runtime with these variables: a line for each URL. */
const connectOn = async (
  name: RuntimeName,
  env: Readonly<Record<string, string>>,
  text: string,
  urls: readonly string[],
): Promise<string[]> => {
  const command = [executableOf(name), ...(name === 'deno' ? ['run', '-A'] : [])];
  const child = Bun.spawn([...command, join(import.meta.dir, 'address-connect.ts'), text, ...urls], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdout: 'pipe',
  });
  return (await child.stdout.text()).trim().split('\n');
};

/** The kind of a connection: `TLS`, `plain`, or the code of the error. */
const connectWith = async (url: string): Promise<string> => {
  try {
    const { ssl } = await query(url, kindQuery);
    return ssl ? 'TLS' : 'plain';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

const urlTo = (host: string, parameters = '', user = 'plant'): string =>
  `postgres://${user}@${host}:${server.port}/postgres?${withFixtures(parameters)}`;

describe.each(['on', 'off'] as const)('with ssl=%s on the server', (ssl) => {
  beforeAll(() => start(ssl));
  afterAll(() => server.stop());

  const unavailable = 'ERR_POSTGRES_TLS_NOT_AVAILABLE';
  const untrusted = 'SELF_SIGNED_CERT_IN_CHAIN';
  const misnamed = 'ERR_TLS_CERT_ALTNAME_INVALID';

  // The certificate of the server is only for localhost.
  const cases: [parameters: string, host: string, withTls: string, without: string][] = [
    ['', '127.0.0.1', 'TLS', 'plain'],
    ['sslmode=disable', '127.0.0.1', 'plain', 'plain'],
    ['sslmode=allow', '127.0.0.1', 'TLS', 'plain'],
    ['sslmode=prefer', '127.0.0.1', 'TLS', 'plain'],
    ['sslmode=require', '127.0.0.1', 'TLS', unavailable],
    [`sslmode=require&${ca}`, '127.0.0.1', 'TLS', unavailable],
    [`sslmode=require&${otherCa}`, 'localhost', untrusted, unavailable],
    [`sslmode=verify-ca&${ca}`, '127.0.0.1', 'TLS', unavailable],
    [`sslmode=verify-ca&${otherCa}`, 'localhost', untrusted, unavailable],
    [`sslmode=verify-full&${ca}`, 'localhost', 'TLS', unavailable],
    [`sslmode=verify-full&${ca}`, '127.0.0.1', misnamed, unavailable],
    [`sslmode=verify-full&${otherCa}`, 'localhost', untrusted, unavailable],
    ['sslrootcert=system', 'localhost', untrusted, unavailable],
  ];

  test.each(cases)(
    'a connection with the parameters "%s" to %s is as libpq documents, or fails',
    async (parameters, host, withTls, without) => {
      expect(await connectWith(urlTo(host, parameters))).toBe(ssl === 'on' ? withTls : without);
    },
  );

  test.each(runtimeNames.filter((name) => name !== 'bun'))(
    'each connection on %s is encrypted, plain or refused as on Bun',
    async (name) => {
      const shown = await connectOn(
        name,
        {},
        kindQuery,
        cases.map(([parameters, host]) => urlTo(host, parameters)),
      );
      const kinds = shown.map((line) => ({ '{"ssl":true}': 'TLS', '{"ssl":false}': 'plain' })[line] ?? 'refused');
      const expected = cases.map(([, , withTls, without]) => (ssl === 'on' ? withTls : without));
      expect(kinds).toEqual(expected.map((kind) => (/^[A-Z_]{4,}$/.test(kind) ? 'refused' : kind)));
    },
  );
});

describe('on a server with TLS', () => {
  beforeAll(() => start('on'));
  afterAll(() => server.stop());

  test('the client sends its certificate to the server', async () => {
    const url = urlTo(
      'localhost',
      `sslmode=verify-full&${ca}&sslcert=client.cert.pem&sslkey=client.key.pem`,
      'gardener',
    );
    expect(await query(url, 'select current_user::text as name')).toEqual({ name: 'gardener' });
    expect(await connectWith(urlTo('localhost', 'sslmode=require', 'gardener'))).toBe('ERR_POSTGRES_SERVER_ERROR');
  });

  test('a folder as the host is that of a Unix socket, where sslmode has no effect', async () => {
    const folder = encodeURIComponent(join(server.folder, 'data'));
    expect(await connectWith(urlTo(folder))).toBe('plain');
    expect(await connectWith(urlTo(folder, `sslmode=verify-full&${ca}`))).toBe('plain');
  });

  test('the login with a password is bound to the certificate when that is required', async () => {
    const url = urlTo('localhost', 'password=a%20b&channel_binding=require&sslmode=', 'keeper');
    expect(await connectWith(`${url}require`)).toBe('TLS');
    expect(await connectWith(`${url}disable`)).toBe('ERR_POSTGRES_CHANNEL_BINDING_REQUIRED');
  });

  test.each(runtimeNames)('a certificate and a password reach only the right server on %s', async (name) => {
    const text = 'select current_user::text as name';
    const certificate = '&sslcert=client.cert.pem&sslkey=client.key.pem';
    const outcomes: [string, string][] = [
      [urlTo('localhost', `sslmode=verify-full&${ca}${certificate}`, 'gardener'), '{"name":"gardener"}'],
      [urlTo('localhost', 'sslmode=require', 'gardener'), '28000'],
      [urlTo('localhost', 'password=a%20b&sslmode=require&channel_binding=require', 'keeper'), '{"name":"keeper"}'],
      [urlTo('localhost', 'password=a%20b&sslmode=disable', 'keeper'), '{"name":"keeper"}'],
      [urlTo('localhost', 'password=a%20b&sslmode=disable&channel_binding=require', 'keeper'), 'refused'],
      // The server asks for no password.
      [urlTo('localhost', 'sslmode=require&channel_binding=require'), 'refused'],
      [urlTo('localhost', 'password=wrong', 'keeper'), '28P01'],
    ];
    const urls = outcomes.map(([url]) => url);
    const printed = await connectOn(name, {}, text, urls);
    // On Bun with another code.
    const kinds = printed.map((line) => (/^failed$|^ERR_POSTGRES_/.test(line) ? 'refused' : line));
    expect(kinds).toEqual(outcomes.map(([, outcome]) => outcome));
  });

  const shown = "select current_setting('application_name') as name, current_setting('search_path') as path";

  test('the server gets the application name and the options', async () => {
    expect(await query(urlTo('127.0.0.1'), shown)).toEqual({ name: 'plant-store', path: '"$user", public' });
    const given = urlTo('127.0.0.1', 'application_name=a%20b&options=-c%20search_path%3Dgarden');
    expect(await query(given, shown)).toEqual({ name: 'a b', path: 'garden' });
  });

  test.each(runtimeNames)('the environment variables for databases have no effect on %s', async (name) => {
    const row = JSON.stringify({ name: 'plant-store', path: '"$user", public' });
    const outcomes: [string, string][] = [
      [urlTo('localhost', 'sslmode=disable'), row],
      [urlTo('localhost', `sslmode=verify-full&${ca}`), row],
      [urlTo('127.0.0.1', `sslmode=verify-full&${ca}`), 'ERR_TLS_CERT_ALTNAME_INVALID'],
      [urlTo('localhost', `sslmode=verify-ca&${otherCa}`), 'SELF_SIGNED_CERT_IN_CHAIN'],
      [urlTo('localhost', 'sslrootcert=system'), 'SELF_SIGNED_CERT_IN_CHAIN'],
      // This user has a password, which is not in the URL.
      [urlTo('localhost', '', 'keeper'), '28P01'],
    ];
    const env = {
      DATABASE_URL: 'postgres://a:b@c:1,d:2/e?sslmode=disable',
      TLS_DATABASE_URL: 'postgres://a,b/c',
      PGHOST: '192.0.2.1',
      PGPORT: '1',
      PGUSER: 'nobody',
      PGPASSWORD: 'a b',
      PGDATABASE: 'none',
      // Would omit the check of the host name.
      PGSSLMODE: 'verify-ca',
      PGAPPNAME: 'other',
      PGOPTIONS: '-c search_path=other',
      PGCHANNELBINDING: 'require',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    };
    const urls = outcomes.map(([url]) => url);
    expect(await connectOn(name, env, shown, urls)).toEqual(outcomes.map(([, outcome]) => outcome));
  });

  test.each(runtimeNames)('with sslrootcert=system the CAs are those that %s trusts', async (name) => {
    const env = { NODE_EXTRA_CA_CERTS: fixture('ca.cert.pem') };
    const urls = ['localhost', '127.0.0.1'].map((host) => urlTo(host, 'sslrootcert=system'));
    expect(await connectOn(name, env, shown, urls)).toEqual([
      expect.stringContaining('plant-store'),
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ]);
  });
});

test('each host has a separate address, with the rest of the URL', () => {
  const target = parsePostgresUrl('postgres://u@a:1,[::1]:2/d?connect_timeout=3');
  const rest = { user: 'u', database: 'd', connectTimeoutSeconds: 3 };
  expect(addressesOf(target)).toMatchObject([
    { host: 'a', port: 1, ...rest },
    { host: '::1', port: 2, ...rest },
  ]);
});

describe('a file that cannot be used', () => {
  test.each([
    ['sslrootcert=/no/such/file', 'sslrootcert'],
    ['sslrootcert=README.md', 'sslrootcert'],
    [`${ca}&sslcert=client.key.pem&sslkey=client.key.pem`, 'sslcert'],
    [`${ca}&sslcert=client.cert.pem&sslkey=client.cert.pem`, 'sslkey'],
  ])('the error for a file with %s names its parameter', (parameters, name) => {
    const target = parsePostgresUrl(`postgres://u@h/d?sslmode=verify-full&${withFixtures(parameters)}`);
    const use = () => addressesOf(target);
    expect(use).toThrow(OperatorError);
    expect(use).toThrow(`The ${name} of the database cannot be read`);
  });
});
