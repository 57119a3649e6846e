/** What may be shown of errors. */
import { describe, expect, test } from 'bun:test';
import { DrizzleQueryError } from 'drizzle-orm';
import { OperatorError } from '../../src/base/error.ts';
import { isDiskFull, printReport, reportOf } from '../../src/base/error-report.ts';

const secret = 'whsec_hidden';

const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown.');
};

/** As a member of a line, without undefined members and without the calls, whose lines depend on this file. */
const linesOf = (error: unknown) =>
  JSON.parse(JSON.stringify(reportOf(error), (name, value) => (name === 'stack' ? undefined : value)));

const text: unknown = secret;
const call = text as () => void;

describe('the report of an error', () => {
  test.each<[string, unknown, object]>([
    [
      'an error of Drizzle',
      new DrizzleQueryError('INSERT', [secret], new TypeError('lost')),
      { type: 'DrizzleQueryError', cause: { type: 'TypeError', message: 'lost' } },
    ],
    ['a syntax error of JSON.parse', thrownBy(() => JSON.parse(secret)), { type: 'SyntaxError' }],
    [
      'a value that the engine quotes',
      thrownBy(() => call()),
      { type: 'TypeError', message: 'call is not a function. (In …' },
    ],
    [
      'an error with a code',
      Object.assign(new Error(secret), { code: 'ENOSPC', syscall: 'write', path: secret, input: secret }),
      { type: 'Error', code: 'ENOSPC', syscall: 'write' },
    ],
    [
      'an aggregate',
      new AggregateError([new Error('one'), secret], secret),
      { type: 'AggregateError', errors: [{ type: 'Error', message: 'one' }, { type: 'NotAnError' }] },
    ],
    [
      'a text as the cause',
      new Error('outer', { cause: secret }),
      { type: 'Error', message: 'outer', cause: { type: 'NotAnError' } },
    ],
    [
      'an error for the operator',
      new OperatorError('No database at /a/b.'),
      { type: 'OperatorError', message: 'No database at /a/b.' },
    ],
    ['a class of a library', new (class LibraryError extends Error {})(secret), { type: 'LibraryError' }],
  ])('%s has no value', (_, error, expected) => {
    expect(linesOf(error)).toEqual(expected);
    expect(printReport(reportOf(error))).not.toContain(secret);
  });

  test('a chain of causes is reported up to a depth', () => {
    const error = new Error('endless');
    error.cause = error;
    expect(JSON.stringify(reportOf(error)).match(/endless/g)).toHaveLength(5);
  });

  test('the calls are reported without the message, whatever that looks like', () => {
    const { stack = '' } = reportOf(new (class LibraryError extends Error {})(`${secret}\n    at hidden (a.ts:1:1)`));
    expect(stack).toMatch(/^ +at .*error-report\.test\.ts:\d+:\d+/);
    expect(stack).not.toContain('hidden');
  });

  test('a terminal shows an error, its calls and its cause on separate lines', () => {
    const cause = Object.assign(new Error('full'), { code: 'ENOSPC', stack: '' });
    expect(
      printReport(reportOf(Object.assign(new Error('lost', { cause }), { stack: 'Error: lost\n    at a (b.ts:1:2)' }))),
    ).toBe('Error: lost\n    at a (b.ts:1:2)\nCaused by Error (code ENOSPC)');
  });
});

test.each([
  ['the system', { code: 'ENOSPC' }, true],
  ['a quota', { code: 'EDQUOT' }, true],
  ['SQLite', { code: 'SQLITE_FULL' }, true],
  ['PostgreSQL, with the client of Bun', { code: 'ERR_POSTGRES_SERVER_ERROR', errno: '53100' }, true],
  ['PostgreSQL, with pg', { code: '53100', severity: 'ERROR' }, true],
  ['a library that has the number by chance', { code: '53100' }, false],
  ['a disk that fails', { code: 'EIO' }, false],
])('a full disk is recognized by the code of %s', (_, members, isFull) => {
  expect(isDiskFull(Object.assign(new Error('x'), members))).toBe(isFull);
});
