/** The addresses of the servers of a URL, with the credentials. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { OperatorError } from '../../base/error.ts';
import type { PostgresAddress, PostgresTls } from '../driver/driver.ts';
import type { PostgresTarget } from '../driver/url.ts';

/** One address for each host. Throws OperatorError for a certificate or key file that cannot be used. */
export const addressesOf = (target: PostgresTarget): PostgresAddress[] => {
  const tls = tlsOf(target);
  return target.hosts.map((host) => ({ ...target, ...host, tls }));
};

/**
 * The meaning of an sslmode in libpq (https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION), or stricter: `allow`
 * and `prefer` use TLS if the server supports it, and do not retry without TLS if that fails.
 */
const tlsOf = ({ sslmode, sslrootcert, sslcert, sslkey }: PostgresTarget): PostgresTls | undefined => {
  if (sslmode === 'disable' || sslmode === 'allow' || sslmode === 'prefer') return undefined;
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

/** Otherwise each connection would report an invalid file, as if the server were unavailable. */
const readPem = (parameter: string, path: string, parse: (pem: string) => unknown): string => {
  try {
    const pem = readFileSync(path, 'utf8');
    parse(pem);
    return pem;
  } catch (cause) {
    throw new OperatorError(`The ${parameter} of the database cannot be read: ${path} is not a PEM file.`, { cause });
  }
};
