/**
 * The address and credentials of a server, as options of Bun.SQL. They set everything that Bun would otherwise read from the environment
 * (`DATABASE_URL`, `PGSSLMODE`, `PGPASSWORD` and others), so that the environment has no effect. `PGOPTIONS` has no option: `config.ts` removes it.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OperatorError } from '../../../base/error.ts';
import type { PostgresHost, PostgresTarget } from '../../../base/postgres-url.ts';

export type Address = Bun.SQL.PostgresOrMySQLOptions;

/** One address for each host. Throws OperatorError for a certificate or key file that cannot be used. */
export const addressesOf = (target: PostgresTarget): Address[] => {
  const tls = tlsOf(target);
  return target.hosts.map((host) => addressOf(target, host, tls));
};

const addressOf = (target: PostgresTarget, { host, port }: PostgresHost, tls: Address['tls']): Address => ({
  adapter: 'postgres',
  // Without a URL, Bun reads DATABASE_URL, and fails when it names several hosts. Without an sslmode in it, PGSSLMODE=verify-ca
  // weakens verify-full. The options below override the rest of the URL.
  url: `postgres://localhost?sslmode=${target.sslmode}`,
  hostname: host,
  port,
  username: target.user,
  // Bun replaces an empty text by PGPASSWORD, but not a function that returns one.
  password: target.password,
  database: target.database,
  tls,
  channelBinding: target.channelBinding,
  ...(target.connectTimeoutSeconds !== undefined && { connectionTimeout: target.connectTimeoutSeconds }),
  connection: {
    application_name: target.applicationName,
    // Poolers reject `options`, even empty ones.
    ...(target.serverOptions !== '' && { options: target.serverOptions }),
  },
});

/**
 * The meaning of an sslmode in libpq (https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION), or stricter: `allow`
 * and `prefer` use TLS if the server supports it, and do not retry without TLS if that fails.
 */
const tlsOf = ({ sslmode, sslrootcert, sslcert, sslkey }: PostgresTarget): Address['tls'] => {
  if (sslmode === 'disable' || sslmode === 'allow' || sslmode === 'prefer') return sslmode;
  return {
    // With a CA file, `require` verifies the chain too.
    rejectUnauthorized: sslrootcert !== undefined,
    ...(sslrootcert !== undefined &&
      sslrootcert !== 'system' && { ca: readPem('sslrootcert', sslrootcert, certificate) }),
    ...(sslcert !== undefined && { cert: readPem('sslcert', sslcert, certificate) }),
    ...(sslkey !== undefined && { key: readPem('sslkey', sslkey, createPrivateKey) }),
    // Replaces the check of the host name. The chain is already verified.
    ...(sslmode !== 'verify-full' && sslrootcert !== undefined && { checkServerIdentity: () => undefined }),
  };
};

const certificate = (pem: string): X509Certificate => new X509Certificate(pem);

/** Bun would report an invalid file at each connection, as if the server were unavailable. */
const readPem = (parameter: string, path: string, parse: (pem: string) => unknown): string => {
  try {
    const pem = readFileSync(path, 'utf8');
    parse(pem);
    return pem;
  } catch (cause) {
    throw new OperatorError(`The ${parameter} of the database cannot be read: ${path} is not a PEM file.`, { cause });
  }
};
