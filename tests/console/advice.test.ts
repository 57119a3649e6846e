/** What the console says about a failed delivery, and about an error of the API. */
import { expect, test } from 'bun:test';
import { explain, inWords, problemOf } from '../../console/api/problem.ts';
import { adviceFor } from '../../console/webhooks/advice.ts';

test.each([
  [{ failure: 'connection' }, 'http://127.0.0.1:9/', 'Nobody answers at 127.0.0.1:9.'],
  [{ failure: 'connection' }, 'https://a.example/x', 'Nobody answers at a.example:443.'],
  [{ failure: 'tls' }, 'https://a.example:8443/', 'The certificate of a.example is not valid: it has another name,'],
  [
    { failure: 'tls', certificate: 'other_name' },
    'https://a.example/',
    'The certificate has another name than a.example. Check the name in the URL,',
  ],
  [{ failure: 'tls', certificate: 'expired' }, 'https://a.example/', 'The certificate of a.example has expired.'],
  [
    { failure: 'tls', certificate: 'not_yet_valid' },
    'https://a.example/',
    'The certificate of a.example is not valid yet. Check the clocks',
  ],
  [
    { failure: 'tls', certificate: 'self_signed' },
    'https://a.example/',
    'The certificate of a.example is self-signed.',
  ],
  [
    { failure: 'tls', certificate: 'unknown_authority' },
    'https://a.example/',
    'The certificate of a.example is from an unknown authority,',
  ],
  [{ failure: 'unresolved' }, 'https://a.example/', 'Nobody knows the address of a.example.'],
  [{ failure: 'timeout' }, 'https://a.example/', 'a.example:443 does not answer in time.'],
  [{ failure: 'not_public' }, 'https://10.0.0.1/', '10.0.0.1 is no public address with https.'],
  [
    { status: 301, location: 'https://b.example/' },
    'https://a.example/',
    'The receiver redirects to https://b.example/.',
  ],
  [{ status: 302 }, 'https://a.example/', 'The receiver redirects elsewhere.'],
  [{ status: 404 }, 'https://a.example/', 'The receiver has nothing at this path: check the URL (404).'],
  [{ status: 503 }, 'https://a.example/', 'The receiver failed: its own log says why (503).'],
  [{ status: 418 }, 'https://a.example/', 'The receiver refuses the message (418).'],
])('%p of %s begins with: %s', (attempt, url, words) => {
  expect(adviceFor(attempt, url)).toStartWith(words);
});

test('a success has no advice', () => {
  expect(adviceFor({ status: 204 }, 'https://a.example/')).toBeUndefined();
});

test.each([
  [
    '/name is required and must be a string of at most 500 characters, without U+0000 or lone surrogates.',
    'Name is required and must be a string of at most 500 characters.',
  ],
  ['The token does not have the scope plants:write.', 'The token does not have the permission to change plants.'],
  ['/tag must be null or a string of at most 100 characters.', 'Tag must be a string of at most 100 characters.'],
  [
    'The query parameter sort cannot be by name if more than 10,000 plants fit the filters, or more than 100,000 are searched.',
    'There is no order by name if more than 10,000 plants fit the filters, or more than 100,000 are searched. Filter them first, such as by a tag.',
  ],
  ['A plant with this id exists.', 'A plant with this id exists.'],
])('the message %p is shown as: %s', (message, words) => {
  expect(inWords(message)).toBe(words);
});

test('each invalid member has its fault, also if another error or a proxy has other details', () => {
  const response = new Response(null, { status: 400 });
  const problem = problemOf(response, {
    error: 40001,
    message: '/name is required and must be a string.',
    details: [
      { pointer: '/name', message: 'is required and must be a string' },
      { pointer: '/tag', message: 'must be null or a string' },
    ],
  });
  expect(explain(problem)).toBe('Name is required and must be a string.');
  expect(problem.faults).toEqual({ name: 'Name is required and must be a string.', tag: 'Tag must be a string.' });
  for (const details of [undefined, 'x', [null, 1, { parameter: 'limit', message: 'x' }]])
    expect(problemOf(response, { details }).faults).toEqual({});
});
