import { describe, expect, test } from 'bun:test';
import { hideSecrets, looksLikeAddress, mayHavePassword } from '../../src/base/address-like.ts';

const password = 'hunter2';
const login = `keeper:${password}@127.0.0.1`;

describe('a text that looks like an address', () => {
  test.each([
    `"postgres://${login}/plants"`,
    `'postgres://${login}/plants'`,
    ` postgres://${login}/plants`,
    `POSTGRES://${login}/plants`,
    `postgre://${login}/plants`,
    `postgres:/${login}/plants`,
    `postgres;//${login}/plants`,
    `postgres//${login}/plants`,
    `postgres:\\\\${login}\\plants`,
    `postgres%3A%2F%2F${encodeURIComponent(login)}%2Fplants`,
    `postgres%253A%252F%252Fkeeper%253A${password}%2540127.0.0.1%252Fplants`,
    `postgres%3a%2f%2fkeeper:${password}%zz@127.0.0.1/plants`,
    `postgresql+psycopg2://${login}/plants`,
    `jdbc:postgresql://${login}/plants`,
    `mysql://${login}/plants`,
    `http://${login}/plants`,
    `DATABASE_URL=postgres://${login}/plants`,
    `export DATABASE_URL='postgres://${login}/plants'`,
    `psql postgres://${login}/plants`,
    `./postgres://${login}/plants`,
    `//${login}/plants`,
    `/${login}/plants`,
    `${login}:5432/plants`,
    `me/${login}/plants`,
    `host=127.0.0.1 user=keeper password=${password}`,
    `password = '${password}' host = 127.0.0.1`,
    `Host=127.0.0.1;Username=keeper;Password=${password}`,
    `Server=127.0.0.1;Uid=keeper;Pwd=${password}`,
    `jdbc:postgresql:plants?user=keeper&password=${password}`,
    `/plants?user=keeper&password=${password}`,
  ])('%s looks like an address that can have a password', (text) => {
    expect([mayHavePassword(text), looksLikeAddress(text)]).toEqual([true, true]);
  });

  test.each([
    '"plants.sqlite"',
    'postgres//localhost/plants',
    'postgres;//localhost/plants',
    'postgres:plants',
    'jdbc:postgresql:plants',
    'localhost:5432/plants',
    'plants:2/store.sqlite',
    'host=127.0.0.1 user=keeper',
    'user=keeper dbname=plants',
    '  port = 5432',
  ])('%s looks like an address without a password', (text) => {
    expect([mayHavePassword(text), looksLikeAddress(text)]).toEqual([false, true]);
  });
});

test.each([
  './data/plants.sqlite',
  'plants.sqlite',
  'postgres/plants.sqlite',
  'postgres.sqlite',
  '/var/lib/plants.sqlite',
  '/var/lib//plants.sqlite',
  './/plants.sqlite',
  '../plants:2/store.sqlite',
  './plants:2/store.sqlite',
  '/srv/at 10:30/me@home/plants.sqlite',
  './10:30/me@home/plants.sqlite',
  '10:30/plants.sqlite',
  'data/10:30/plants.sqlite',
  'me@work/plants.sqlite',
  'my data/a b.sqlite',
  'tenant=7/plants.sqlite',
  '/srv/host=7/user=me/plants.sqlite',
  '50%/100%25.sqlite',
  'C:\\plants.sqlite',
  'c:/data/me@home/plants.sqlite',
  '~/plants.sqlite',
])('the path %s does not look like an address', (path) => {
  expect([mayHavePassword(path), looksLikeAddress(path)]).toEqual([false, false]);
});

describe('a message that repeats an argument', () => {
  const url = `postgres//${login}/plants`;

  test.each([
    [[url], `unknown command '${url}'`, "unknown command '…'"],
    [[`--databse=${url}`], `unknown option '--databse=${url}'`, "unknown option '--databse=…'"],
    [[`--format=${url}`], `option '--format <format>' argument '${url}' is invalid`, /argument '…' is invalid$/],
    [[`--secrt=${password}`], `unknown option '--secrt=${password}'`, "unknown option '--secrt=…'"],
    [[url, `${url}2`], `unknown command '${url}2'`, "unknown command '…'"],
    [['whsec_c2VjcmV0/+=='], "unknown command 'whsec_c2VjcmV0/+=='", "unknown command 'whsec_…'"],
    [[], `No token plant_${'0'.repeat(36)}.`, 'No token plant_….'],
  ])('with %j, it is shown without the password', (args, message, shown) => {
    if (typeof shown === 'string') expect(hideSecrets(message, args)).toBe(shown);
    else expect(hideSecrets(message, args)).toMatch(shown);
  });

  test('an argument without a password is shown', () => {
    const message = 'File plants-10:30.csv on ::1 exists, plant_store too.';
    expect(hideSecrets(message, ['import', 'plants-10:30.csv', '--host', '::1', ''])).toBe(message);
  });
});
