/**
 * Where a server may be, and how to log in to it, as options of Bun.SQL. All that Bun would otherwise take from the environment
 * (`DATABASE_URL`, `PGSSLMODE`, `PGPASSWORD` and others) is given, so that the environment changes nothing. `PGOPTIONS` cannot be: `config.ts` removes it.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OperatorError } from '../../base/error.ts';
import type { PostgresHost, PostgresTarget } from '../../base/postgres-url.ts';

export type Address = Bun.SQL.PostgresOrMySQLOptions;

/** One address for each host. Throws OperatorError for a file of a certificate or a key that cannot be used. */
export const addressesOf = (target: PostgresTarget): Address[] => {
  const tls = tlsOf(target);
  return target.hosts.map((host) => addressOf(target, host, tls));
};

const addressOf = (target: PostgresTarget, { host, port }: PostgresHost, tls: Address['tls']): Address => ({
  adapter: 'postgres',
  // Without a URL, Bun reads DATABASE_URL, and fails when it names several hosts. Without an sslmode in it, PGSSLMODE=verify-ca
  // weakens verify-full. The options below come before the rest of it.
  url: `postgres://localhost?sslmode=${target.sslmode}`,
  hostname: host,
  port,
  username: target.user,
  // For an empty text, Bun takes PGPASSWORD, but not for a function that returns one.
  password: target.password,
  database: target.database,
  tls,
  channelBinding: target.channelBinding,
  ...(target.connectTimeoutSeconds !== undefined && { connectionTimeout: target.connectTimeoutSeconds }),
  connection: {
    application_name: target.applicationName,
    // Poolers refuse them, even empty ones.
    ...(target.serverOptions !== '' && { options: target.serverOptions }),
  },
});

/**
 * What libpq means by an sslmode (https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION), or more: `allow`
 * and `prefer` use TLS when the server has it, and do not try again in plain text when that fails.
 */
const tlsOf = ({ sslmode, sslrootcert, sslcert, sslkey }: PostgresTarget): Address['tls'] => {
  if (sslmode === 'disable' || sslmode === 'allow' || sslmode === 'prefer') return sslmode;
  return {
    // With the file of a CA, `require` verifies the chain too.
    rejectUnauthorized: sslrootcert !== undefined,
    ...(sslrootcert !== undefined &&
      sslrootcert !== 'system' && { ca: readPem('sslrootcert', sslrootcert, certificate) }),
    ...(sslcert !== undefined && { cert: readPem('sslcert', sslcert, certificate) }),
    ...(sslkey !== undefined && { key: readPem('sslkey', sslkey, createPrivateKey) }),
    // Replaces the check of the name. The chain is verified before.
    ...(sslmode !== 'verify-full' && sslrootcert !== undefined && { checkServerIdentity: () => undefined }),
  };
};

const certificate = (pem: string): X509Certificate => new X509Certificate(pem);

/** Bun would report a bad file at each connection, as if the server were away. */
const readPem = (parameter: string, path: string, parse: (pem: string) => unknown): string => {
  try {
    const pem = readFileSync(path, 'utf8');
    parse(pem);
    return pem;
  } catch (cause) {
    throw new OperatorError(`The ${parameter} of the database cannot be read: ${path} is not a PEM file.`, { cause });
  }
};
