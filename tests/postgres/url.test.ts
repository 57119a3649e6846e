import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { OperatorError } from '../../src/base/error.ts';
import { type PostgresTarget, parsePostgresUrl, showPostgresUrl } from '../../src/postgres/driver/url.ts';
import { anyCharacter } from '../support/any-character.ts';

const at = (host: string, port = 5432) => ({ host, port });

/** The target with the text of its password. */
const parse = (text: string) => {
  const target = parsePostgresUrl(text);
  return { ...target, password: target.password() };
};

test('a URL with only the required parts has the defaults of libpq', () => {
  expect(parse('postgres://u@h')).toEqual({
    hosts: [at('h')],
    user: 'u',
    password: '',
    database: 'u',
    sslmode: 'prefer',
    sslrootcert: undefined,
    sslcert: undefined,
    sslkey: undefined,
    channelBinding: 'prefer',
    applicationName: 'plant-store',
    serverOptions: '',
    connectTimeoutSeconds: undefined,
    pooler: 'none',
  });
});

describe('a URL that is accepted', () => {
  test.each<[string, Partial<Record<keyof PostgresTarget, unknown>>]>([
    ['postgres://u:p@h:1/d', { hosts: [at('h', 1)], user: 'u', password: 'p', database: 'd' }],
    ['postgres://u:p:q@h/d', { password: 'p:q' }],
    ['postgres://u:@h/d', { password: '' }],
    ['postgres://u%40x:p%2F%3F%40%25+@h/d%20e', { user: 'u@x', password: 'p/?@%+', database: 'd e' }],
    ['postgres://u:p#q@h/d', { password: 'p#q' }],
    ['postgres://u@a:1,b,c:3/d', { hosts: [at('a', 1), at('b'), at('c', 3)] }],
    ['postgres://u@[::1]:1,[fe80::2],127.0.0.1/d', { hosts: [at('::1', 1), at('fe80::2'), at('127.0.0.1')] }],
    ['postgres://u@%2Frun%2Fpostgresql:1/d', { hosts: [at('/run/postgresql', 1)] }],
    ['postgres://u@/d?host=/run/postgresql', { hosts: [at('/run/postgresql')], database: 'd' }],
    ['postgres:///d?user=u&host=a,b&port=1', { hosts: [at('a', 1), at('b', 1)] }],
    ['postgres://u@h:1/d?host=a,::1&port=3,', { hosts: [at('a', 3), at('::1')] }],
    ['postgres://u:p@h/d?user=v&password=q%26&dbname=e', { user: 'v', password: 'q&', database: 'e' }],
    ['postgres://u@h?dbname=p/q', { database: 'p/q' }],
    ['postgres://u@h/?', { database: 'u' }],
    ['postgres://u@h/d?sslmode=disable', { sslmode: 'disable' }],
    ['postgres://u@h/d?sslmode=require&sslcert=c&sslkey=k', { sslmode: 'require', sslcert: 'c', sslkey: 'k' }],
    ['postgres://u@h/d?sslmode=verify-ca&sslrootcert=/a%20b', { sslmode: 'verify-ca', sslrootcert: '/a b' }],
    ['postgres://u@h/d?sslmode=verify-full&sslrootcert=r', { sslmode: 'verify-full', sslrootcert: 'r' }],
    ['postgres://u@h/d?sslrootcert=system', { sslmode: 'verify-full', sslrootcert: 'system' }],
    ['postgres://u@h/d?channel_binding=require', { channelBinding: 'require' }],
    ['postgres://u@h/d?pooler=session', { pooler: 'session' }],
    ['postgres://u@h/d?pooler=transaction', { pooler: 'transaction' }],
    [
      'postgres://u@h/d?application_name=x+y&connect_timeout=3600',
      { applicationName: 'x+y', connectTimeoutSeconds: 3600 },
    ],
    [
      'postgres://u@h/d?options=-c%20search_path%3Dp&target_session_attrs=read-write',
      { serverOptions: '-c search_path=p' },
    ],
  ])('%s is read as libpq reads it', (text, parts) => {
    expect(parse(text)).toMatchObject(parts);
    expect(parse(text.replace('postgres:', 'postgresql:'))).toEqual(parse(text));
  });
});

describe('a URL that is refused', () => {
  test.each<[string, RegExp]>([
    ['postgres://', /name a user/],
    ['postgres://h/d', /name a user/],
    ['postgres://:p@h/d', /name a user/],
    ['postgres://u%0A@h/d', /name a user, without control/],
    ['postgres://u@h/d%00', /database must be percent-encoded/],
    ['postgres://u@h/%zz', /database must be percent-encoded/],
    ['postgres://u:%@h/d', /password must be percent-encoded/],
    ['postgres://u:%ff@h/d', /password must be percent-encoded UTF-8/],
    ['postgres://u:a?b@h/d', /a \? in its user or its password .* %3F/],
    ['postgres://u:a@b@h/d', /an @ in its password/],
    ['postgres://u:1/2@h/d', /an @ in its password/],
    ['postgres://u:a/b@h/d', /an @ in its password/],
    ['postgres://u@h/d?password=a@b', /an @ in its password/],
    ['postgres://u:@?a=@h/d', /an @ in its password/],
    ['postgres://u@h/d/e', /an @ in its password, and a \/ there or in its database/],
    ['postgres://u@/d', /hosts must be/],
    ['postgres://u@a,/d', /hosts must be/],
    ['postgres://u@h%20x/d', /hosts must be/],
    ['postgres://u@[::1/d', /port must be/],
    ['postgres://u@::1/d', /port must be/],
    ['postgres://u@h:0/d', /port must be/],
    ['postgres://u@h:65536/d', /port must be/],
    ['postgres://u@h:x/d', /port must be/],
    ['postgres://u@a:1,b:2/d?host=c', /one port, or one for each host/],
    ['postgres://u@a/d?host=a,b,c&port=1,2', /one port, or one for each host/],
    [
      'postgres://u@h/d?sslmod=require',
      /parameters must be of host, port, .*, sslmode, .*, target_session_attrs, pooler$/,
    ],
    ['postgres://u@h/d?SSLMODE=require', /parameters must be of host, port/],
    ['postgres://u@h/d?a%20b=c', /parameters must be of host, port/],
    ['postgres://u@h/d?password=a&b=', /parameters must be of host, port/],
    ['postgres://u@h/dpassword=a', /an = or & in its database must be written as %3D or %26/],
    ['postgres://u@h/d&a', /an = or & in its database must be written as %3D or %26/],
    ['postgres://u@h/d?sslmode', /sslmode must have one =/],
    ['postgres://u@h/d?options=-c%20a=b', /options must have one =, and others written as %3D/],
    ['postgres://u@h/d?sslmode=', /sslmode must be one of disable,/],
    ['postgres://u@h/d?sslmode=Require', /sslmode must be one of disable,/],
    ['postgres://u@h/d?sslmode=verify_full', /sslmode must be one of disable,/],
    ['postgres://u@h/d?sslmode=verify-ca', /needs an sslrootcert/],
    ['postgres://u@h/d?sslmode=verify-full', /needs an sslrootcert/],
    ['postgres://u@h/d?sslmode=verify-full&sslrootcert=', /sslrootcert must name a file/],
    ['postgres://u@h/d?sslmode=verify-ca&sslrootcert=system', /sslrootcert=system needs an sslmode of verify-full/],
    ['postgres://u@h/d?sslmode=require&sslrootcert=system', /sslrootcert=system needs an sslmode of verify-full/],
    ['postgres://u@h/d?sslrootcert=r', /sslrootcert needs an sslmode of require/],
    ['postgres://u@h/d?sslmode=disable&sslrootcert=r', /sslrootcert needs an sslmode of require/],
    ['postgres://u@h/d?sslcert=c&sslkey=k', /sslcert needs an sslmode of require/],
    ['postgres://u@h/d?sslmode=require&sslcert=c', /sslcert and sslkey must be given together/],
    ['postgres://u@h/d?channel_binding=yes', /channel_binding must be one of/],
    ['postgres://u@h/d?target_session_attrs=standby', /target_session_attrs must be one of read-write, primary/],
    ['postgres://u@h/d?pooler=statement', /pooler must be one of none, session, transaction/],
    ['postgres://u@h/d?application_name=caf%C3%A9', /application_name must have only printable ASCII/],
    ['postgres://u@h/d?connect_timeout=0', /connect_timeout must be from 1 to 3600 seconds/],
    ['postgres://u@h/d?connect_timeout=3601', /connect_timeout must be from 1 to 3600 seconds/],
    ['postgres://u@h/d?connect_timeout=1.5', /connect_timeout must be from 1 to 3600 seconds/],
  ])('%s is refused with the reason', (text, reason) => {
    expect(() => parsePostgresUrl(text)).toThrow(OperatorError);
    expect(() => parsePostgresUrl(text)).toThrow(reason);
  });
});

/** A name may not have control characters. */
const name = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
  .filter((text) => !/\p{Cc}/u.test(text) && text.isWellFormed());
const host = fc.oneof(
  fc.domain(),
  fc.ipV4(),
  fc.ipV6(),
  name.filter((text) => !text.includes(',')).map((text) => `/${text}`),
);
const hostLists = fc.array(fc.record({ host, port: fc.integer({ min: 1, max: 65_535 }) }), {
  minLength: 1,
  maxLength: 4,
});
const encode = encodeURIComponent;

test('parsing the URL of a target returns the target, and its shown URL has only the hosts and the database', () => {
  const password = fc.string({ unit: anyCharacter }).filter((text) => !text.includes('\0') && text.isWellFormed());
  fc.assert(
    fc.property(hostLists, name, password, name, (hosts, user, secret, database) => {
      const at = hosts.map(
        ({ host: text, port }) => `${text.includes(':') && !text.startsWith('/') ? `[${text}]` : encode(text)}:${port}`,
      );
      const target = parsePostgresUrl(`postgres://${encode(user)}:${encode(secret)}@${at}/${encode(database)}`);
      expect(target).toMatchObject({ hosts, user, database });
      expect(target.password()).toBe(secret);
      const shown = parse(showPostgresUrl(target).replace('//', '//u@'));
      expect(shown).toMatchObject({ hosts, user: 'u', database: database === user ? 'u' : database, password: '' });
    }),
  );
});

describe('a password', () => {
  const mark = 'hunter2';
  const rest = fc.string({ unit: fc.constantFrom(...":/?#[]@!$&'=%20 ab1,;"), maxLength: 8 });

  test('neither a target nor the error for a refused URL shows the password, whatever form the URL has', () => {
    let refused = 0;
    const forms = [
      (password: string) => `postgres://user:${password}@host:5432/plants`,
      (password: string) => `postgres://user:${password}@host/plants?sslmode=require`,
      (password: string) => `postgres://user@host/plants?password=${password}`,
      (password: string) => `postgres://user@host/plants?sslmode=x&password=${password}`,
      (password: string) => `postgres://user:${encode(password)}@host:x/plants`,
      (password: string) => `postgres://user:${encode(password)}@host/plants?sslmod=require`,
      (password: string) => `postgres://user:${encode(password)}@host/plants`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...forms), rest, rest, (form, before, after) => {
        try {
          const target = parsePostgresUrl(form(`${before}${mark}${after}`));
          expect(target.password()).toContain(mark);
          for (const shown of [
            showPostgresUrl(target),
            JSON.stringify(target),
            Bun.inspect(target),
            `${target.password}`,
          ])
            expect(shown).not.toContain(mark);
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          refused += 1;
          expect(error.message).not.toContain(mark);
        }
      }),
      { numRuns: 2000 },
    );
    expect(refused).toBeGreaterThan(100);
  });
});

test.each([
  'postgresql://alex:AbC1@ep-cool-1-pooler.us-east-2.aws.neon.tech/neondb?sslmode=require&channel_binding=require',
  'postgresql://alex:AbC1@ep-cool-1.us-east-2.aws.neon.tech/neondb?options=endpoint%3Dep-cool-1&sslmode=require',
  'postgresql://postgres.abcdefgh:AbC1@aws-0-us-east-1.pooler.supabase.com:6543/postgres?pooler=transaction',
  'postgres://uabc:p1@ec2-1-2-3-4.compute-1.amazonaws.com:5432/d1',
  'postgres://plants:AbC1@plants.abc.eu-west-1.rds.amazonaws.com:5432/plants?sslmode=verify-full&sslrootcert=ca.pem',
  'postgres://u:p@db-1.db.ondigitalocean.com:25060/defaultdb?sslmode=require&target_session_attrs=read-write',
])('the URL of a hosting service is accepted: %s', (url) => {
  expect(parsePostgresUrl(url).hosts).toHaveLength(1);
});
