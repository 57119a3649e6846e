/**
 * The URL of a PostgreSQL database, read as libpq reads it (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING).
 * Only its parameter `pooler` is not one of libpq. The environment and files in the home folder are not read, so the URL must contain a
 * host and a user. A URL is rejected if an unencoded password would be read as another part. No message repeats a value.
 */
import { OperatorError } from '../../base/error.ts';
import { readHost, toUrlHost } from '../../base/host.ts';
import { hasControl, isOneOf } from '../../base/text.ts';

export interface PostgresTarget {
  /** At least one, in the order in which they are tried. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  /** Empty if there is none. A function, so that printing the target does not show it. */
  readonly password: () => string;
  readonly database: string;
  readonly sslmode: (typeof sslmodes)[number];
  /** The path of a file, or `system`. Undefined if the certificate of the server is not verified. */
  readonly sslrootcert: string | undefined;
  /** The path of the client's certificate. */
  readonly sslcert: string | undefined;
  readonly sslkey: string | undefined;
  readonly channelBinding: (typeof channelBindings)[number];
  /** Of printable ASCII: the server would replace other characters. */
  readonly applicationName: string;
  /** Options of the server's command line, such as `-c search_path=plants`. Empty if there are none. */
  readonly serverOptions: string;
  readonly connectTimeoutSeconds: number | undefined;
  /** What gives server sessions to this program, and to other clients after each session or each transaction. */
  readonly pooler: (typeof poolers)[number];
  /** Whether nothing is written, so that the server may be a standby. No part of the URL. Default: false. */
  readonly isReadOnly?: boolean;
}

export interface PostgresHost {
  /** A name, an IP address, or the folder of a Unix socket, which begins with `/`. */
  readonly host: string;
  readonly port: number;
}

const sslmodes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const channelBindings = ['disable', 'prefer', 'require'] as const;
const poolers = ['none', 'session', 'transaction'] as const;

/** Throws OperatorError. Its message completes one about the URL, such as "its sslmode must be …". */
export const parsePostgresUrl = (text: string): PostgresTarget => {
  if (hasControl(text)) throw new OperatorError('its control characters must be percent-encoded');
  const parts = readParts(text);
  const word = <Word extends string>(name: Name, words: readonly Word[], otherwise: Word): Word => {
    const value = parts.get(name) ?? otherwise;
    if (!isOneOf(words)(value)) throw new OperatorError(`its ${name} must be one of ${words.join(', ')}`);
    return value;
  };
  // URLs for libpq have it. It may only say what the service does anyway.
  word('target_session_attrs', ['read-write', 'primary'], 'primary');
  const user = readName('user', parts.get('user') ?? '');
  const password = parts.get('password') ?? '';
  const sslrootcert = parts.get('sslrootcert');
  const timeout = parts.get('connect_timeout');
  const applicationName = parts.get('application_name') ?? 'plant-store';
  if (!/^[ -~]*$/.test(applicationName))
    throw new OperatorError('its application_name must have only printable ASCII characters');
  const target = {
    hosts: readHosts(parts.get('host') ?? '', parts.get('port') ?? ''),
    user,
    password: () => password,
    database: readName('database', parts.get('dbname') || user),
    sslmode: word('sslmode', sslmodes, sslrootcert === 'system' ? 'verify-full' : 'prefer'),
    sslrootcert,
    sslcert: parts.get('sslcert'),
    sslkey: parts.get('sslkey'),
    channelBinding: word('channel_binding', channelBindings, 'prefer'),
    applicationName,
    serverOptions: parts.get('options') ?? '',
    connectTimeoutSeconds: timeout === undefined ? undefined : readNumber('connect_timeout', timeout, 3600, ' seconds'),
    pooler: word('pooler', poolers, 'none'),
  };
  refuseUselessFiles(target);
  return target;
};

/**
 * The URL for output: the hosts and the database. The user is not shown: in a URL that lacks the colon before the password, both are
 * the name of the user. Neither is a database with the same name, which is the default.
 */
export const showPostgresUrl = ({ hosts, user, database }: PostgresTarget): string => {
  const places = hosts.map(
    ({ host, port }) => `${host.startsWith('/') ? encodeURIComponent(host) : toUrlHost(host)}:${port}`,
  );
  return `postgres://${places.join()}${database === user ? '' : `/${encodeURIComponent(database)}`}`;
};

const names = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'channel_binding',
  'application_name',
  'options',
  'connect_timeout',
  'target_session_attrs',
  'pooler',
] as const;
type Name = (typeof names)[number];

/** All parts by the names of the parameters, decoded. A query parameter takes precedence over the same part of the URL. */
const readParts = (text: string): Map<Name, string> => {
  const [, login, places = '', path = '', query] =
    /^\w+:\/\/(?:([^@/]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(text) ?? [];
  if (/\?/.test(login ?? '')) throw new OperatorError('a ? in its user or its password must be written as %3F');
  if (/[@/]/.test(places + path) || query?.includes('@'))
    throw new OperatorError('an @ in its password, and a / there or in its database, must be written as %40 and %2F');
  // After a lost ?, the parameters would be part of the name.
  if (/[=&]/.test(path)) throw new OperatorError('an = or & in its database must be written as %3D or %26');

  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(login ?? '') ?? [];
  const found = places.split(',').map((place) => /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(place) ?? []);
  const parts = new Map<Name, string>([
    ['user', decode('user', user)],
    ['host', decode('host', found.map(([, host = '']) => host).join())],
    ['port', found.map(([, , port = '']) => port).join()],
    ['dbname', decode('database', path)],
  ]);
  if (password !== undefined) parts.set('password', decode('password', password));
  for (const parameter of query ? query.split('&') : []) {
    const [name = '', value, ...rest] = parameter.split('=');
    // The unknown name may be a part of a password, after an & in it or without the = before it.
    if (!isOneOf(names)(name)) throw new OperatorError(`its parameters must be of ${names.join(', ')}`);
    if (value === undefined || rest.length > 0)
      throw new OperatorError(`its ${name} must have one =, and others written as %3D`);
    parts.set(name, decode(name, value));
  }
  return parts;
};

const decode = (name: string, text: string): string => {
  try {
    const decoded = decodeURIComponent(text);
    if (!decoded.includes('\0')) return decoded;
  } catch {
    // Malformed: the error below describes it.
  }
  throw new OperatorError(`its ${name} must be percent-encoded UTF-8, with % itself as %25, and without %00`);
};

/** Control characters would corrupt a line of output. */
const readName = (what: string, text: string): string => {
  if (text === '' || hasControl(text)) throw new OperatorError(`it must name a ${what}, without control characters`);
  return text;
};

/** A single port is used for every host. An empty port is the default. */
const readHosts = (hosts: string, ports: string): PostgresHost[] => {
  const list = ports.split(',').map((port) => readNumber('port', port || '5432', 65_535));
  const [only, ...others] = list;
  return hosts.split(',').map((text, at, { length }) => {
    const host = /^\/[^\p{Cc}]*$/u.test(text) ? text : readHost(text);
    if (host === undefined)
      throw new OperatorError(
        'each of its hosts must be a name, an IP address, or the folder of a socket as ?host=/folder',
      );
    const port = others.length === 0 ? only : list[at];
    if (port === undefined || (others.length > 0 && list.length !== length))
      throw new OperatorError('it must have one port, or one for each host');
    return { host, port };
  });
};

/** A number from 1 to `max`. */
const readNumber = (name: string, text: string, max: number, unit = ''): number => {
  const number = /^\d+$/.test(text) && text.length <= `${max}`.length ? Number(text) : 0;
  if (number < 1 || number > max) throw new OperatorError(`its ${name} must be from 1 to ${max}${unit}`);
  return number;
};

/** Certificate files without an effect, or an sslmode without the files that it requires, would be less secure than intended. */
const refuseUselessFiles = ({ sslmode, sslrootcert, sslcert, sslkey }: PostgresTarget): void => {
  const isVerifying = sslmode.startsWith('verify-');
  const files = { sslrootcert, sslcert, sslkey };
  for (const [name, path] of Object.entries(files)) {
    if (path === '') throw new OperatorError(`its ${name} must name a file`);
    if (path !== undefined && sslmode !== 'require' && !isVerifying)
      throw new OperatorError(`its ${name} needs an sslmode of require, verify-ca or verify-full`);
  }
  if (isVerifying && sslrootcert === undefined)
    throw new OperatorError(`its sslmode needs an sslrootcert: the file of a CA, or for verify-full also system`);
  if (sslrootcert === 'system' && sslmode !== 'verify-full')
    throw new OperatorError(
      'its sslrootcert=system needs an sslmode of verify-full, since anybody can get such a certificate',
    );
  if ((sslcert === undefined) !== (sslkey === undefined))
    throw new OperatorError('its sslcert and sslkey must be given together');
};
