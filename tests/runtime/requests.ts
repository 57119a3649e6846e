/**
 * Requests as bytes, and what every runtime does with them. `requests.test.ts` sends each one to the server on every runtime. A runtime that
 * differs is named in the row, with the reason.
 */
import { message } from '../support/network/connection.ts';

/**
 * What a client gets: the status of each response, for a 200 with the path and the body that the server has read, and `closed` if the server
 * then closes the connection.
 */
export type Outcome = string;

export interface Difference {
  readonly bun: Outcome;
  /** That of Node and Deno. */
  readonly node: Outcome;
  /** If it is not that of Node. */
  readonly deno?: Outcome;
  readonly reason: string;
}

export type RequestRow = readonly [what: string, bytes: string, outcome: Outcome | Difference];

const get = (path: string, ...headers: string[]): string => message('GET', path, ...headers);
const post = (path: string, ...headers: string[]): string => message('POST', path, ...headers);
const chunked = (...headers: string[]): string => `${post('/', ...headers)}3\r\nabc\r\n0\r\n\r\n`;
const chunks = (text: string): string => post('/', 'Transfer-Encoding: chunked') + text;
/** With Host, one more. */
const withHeaders = (count: number): string => get('/', ...Array.from({ length: count }, (_, index) => `A${index}: b`));

const stricter = 'Both are valid. Node accepts fewer forms.';
const looser = 'Neither can hide a request. Node accepts more forms.';
const otherStatus = 'Both refuse it.';

export const requests: readonly RequestRow[] = [
  // The request line.
  ['a path with a query', get('/a%20b?c=d'), '200 /a%20b?c=d'],
  ['a path with two slashes', get('//a/b'), '200 //a/b'],
  ['a fragment', get('/a#b'), '200 /a'],
  ['a URL', get('http://localhost/a'), '200 /a'],
  ['the URL of another host', get('http://example.org/a'), '200 /a'],
  ['a path without a slash', get('plants'), '400 closed'],
  ['a query without a path', get('?a'), '400 closed'],
  ['an asterisk', message('OPTIONS', '*'), '400 closed'],
  ['a path of 15 KB', get(`/text?size=1&${'a'.repeat(15_000)}`), '200'],
  ['a path of 20 KB', get(`/${'a'.repeat(20_000)}`), '431 closed'],
  [
    'bytes beyond ASCII in the path',
    get('/\xe9'),
    { bun: '200 /%EF%BF%BD', node: '400 closed', reason: 'Clients encode them. Bun replaces them.' },
  ],
  ['a control character in the path', get('/a\x01b'), { bun: '505 closed', node: '400 closed', reason: otherStatus }],
  ['two spaces before the path', get(' /'), { bun: '400 closed', node: '200 /', reason: looser }],
  [
    'a tab before the path',
    get('/').replace(' ', '\t'),
    { bun: '505 closed', node: '400 closed', reason: otherStatus },
  ],
  ['an empty line before it', `\r\n${get('/')}`, { bun: '400 closed', node: '200 /', reason: looser }],
  ['HTTP/0.9', 'GET /\r\n\r\n', '505 closed'],
  ['HTTP/1.2', get('/').replace('/1.1', '/1.2'), { bun: '505 closed', node: '400 closed', reason: otherStatus }],
  ['HTTP/2', get('/').replace('/1.1', '/2.0'), '505 closed'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 closed'],
  ['bytes of TLS', '\x16\x03\x01\r\n\r\n', '400 closed'],
  ['a method in small letters', message('get', '/'), { bun: 'closed', node: '400 closed', reason: otherStatus }],
  ['an unknown method', message('FOO', '/'), { bun: 'closed', node: '400 closed', reason: otherStatus }],
  [
    'CONNECT',
    message('CONNECT', 'localhost:80', 'Connection: close'),
    { bun: '200 80 closed', node: 'closed', reason: 'The app of Bun gets it.' },
  ],

  // Header fields.
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', '400 closed'],
  ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', '200 /'],
  ['two fields of Host', get('/', 'Host: localhost'), '200 /'],
  ['198 fields', withHeaders(197), '200 /'],
  ['199 fields', withHeaders(198), '431 closed'],
  ['3,700 empty fields', get('/', ...Array.from({ length: 3700 }, () => 'a:')), '431 closed'],
  ['a field of 15 KB', get('/', `A: ${'a'.repeat(15_000)}`), '200 /'],
  ['a field of 20 KB', get('/', `A: ${'a'.repeat(20_000)}`), '431 closed'],
  ['bytes beyond ASCII in a field', get('/', 'A: \xe9'), '200 /'],
  ['a zero byte in a field', get('/', 'A: b\0c'), '400 closed'],
  ['a control character in a field', get('/', 'A: b\x01c'), '400 closed'],
  ['a carriage return in a field', get('/', 'A: b\rc'), '400 closed'],
  ['the character DEL in a field', get('/', 'A: b\x7fc'), { bun: '200 /', node: '400 closed', reason: stricter }],
  ['a folded field', get('/', 'A: b\r\n c'), '400 closed'],
  ['a field without a name', get('/', ': b'), '400 closed'],
  ['a field without a colon', get('/', 'abc'), '400 closed'],
  ['a space in the name of a field', get('/', 'b ad: 1'), '400 closed'],
  ['a space before a colon', post('/', 'Content-Length : 3'), '400 closed'],
  ['bare line feeds', get('/').replaceAll('\r', ''), { bun: '505 closed', node: '400 closed', reason: otherStatus }],

  // The length of the body.
  ['a length', `${post('/', 'Content-Length: 3')}abc`, '200 / abc'],
  ['a length with zeros before it', `${post('/', 'Content-Length: 03')}abc`, '200 / abc'],
  ['a length and spaces', `${post('/', 'Content-Length:  3 ')}abc`, '200 / abc'],
  ['an empty length', `${post('/', 'Content-Length:')}abc`, '400 closed'],
  ['a length with a sign', `${post('/', 'Content-Length: +3')}abc`, '400 closed'],
  ['a negative length', `${post('/', 'Content-Length: -1')}abc`, '400 closed'],
  ['a hexadecimal length', `${post('/', 'Content-Length: 0x3')}abc`, '400 closed'],
  ['a list of lengths', `${post('/', 'Content-Length: 3, 3')}abc`, '400 closed'],
  ['two lengths', `${post('/', 'Content-Length: 3', 'Content-Length: 4')}abcd`, '400 closed'],
  [
    'the same length twice',
    `${post('/', 'Content-Length: 3', 'Content-Length: 3')}abc`,
    { bun: '200 / abc', node: '400 closed', reason: stricter },
  ],
  ['a length of 2⁶⁴', post('/', `Content-Length: ${2n ** 64n}`), '400 closed'],
  ['a length over 64 KiB', post('/', 'Content-Length: 65537'), '413 closed'],
  [
    'a length in GET',
    `${get('/', 'Content-Length: 3')}abc`,
    { bun: '200 /', node: '200 / abc', reason: 'Bun drops the body of GET. No operation reads one.' },
  ],

  // Transfer codings. The body has either a length or chunks.
  ['chunks', chunked('Transfer-Encoding: chunked'), '200 / abc'],
  ['chunks in capital letters', chunked('Transfer-Encoding: CHUNKED'), '200 / abc'],
  ['chunks and a tab', chunked('Transfer-Encoding:\tchunked '), '200 / abc'],
  ['chunks twice', chunked('Transfer-Encoding: chunked, chunked'), '400 closed'],
  ['chunks in two fields', chunked('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'), '400 closed'],
  ['chunks and a length', chunked('Transfer-Encoding: chunked', 'Content-Length: 3'), '400 closed'],
  ['a length and chunks', chunked('Content-Length: 3', 'Transfer-Encoding: chunked'), '400 closed'],
  ['a coding before chunks', chunked('Transfer-Encoding: gzip, chunked'), '400 closed'],
  ['an unknown coding before chunks', chunked('Transfer-Encoding: x, chunked'), '400 closed'],
  ['identity before chunks', chunked('Transfer-Encoding: identity, chunked'), '400 closed'],
  ['a coding and chunks in two fields', chunked('Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'), '400 closed'],
  ['a coding after chunks', chunked('Transfer-Encoding: chunked, gzip'), '400 closed'],
  ['a coding without chunks', chunked('Transfer-Encoding: gzip'), '400 closed'],
  ['identity', chunked('Transfer-Encoding: identity'), '400 closed'],
  ['an unknown coding', chunked('Transfer-Encoding: xchunked'), '400 closed'],
  ['chunks with a parameter', chunked('Transfer-Encoding: chunked;a=b'), '400 closed'],
  ['chunks in quotation marks', chunked('Transfer-Encoding: "chunked"'), '400 closed'],
  ['an empty coding', chunked('Transfer-Encoding:'), '400 closed'],
  ['an empty coding and a length', `${post('/', 'Transfer-Encoding:', 'Content-Length: 3')}abc`, '400 closed'],
  ['a length and an empty coding', `${post('/', 'Content-Length: 3', 'Transfer-Encoding:')}abc`, '400 closed'],
  ['an empty coding after chunks', chunked('Transfer-Encoding: chunked', 'Transfer-Encoding:'), '400 closed'],
  ['an empty coding in GET', get('/', 'Transfer-Encoding:'), '400 closed'],
  ['a coding in GET', get('/', 'Transfer-Encoding: gzip'), '400 closed'],
  ['chunks in HTTP/1.0', chunked('Transfer-Encoding: chunked').replace('/1.1', '/1.0'), '400 closed'],
  [
    'an empty member before chunks',
    chunked('Transfer-Encoding: , chunked'),
    { bun: '200 / abc', node: '400 closed', reason: stricter },
  ],
  [
    'an empty coding before chunks',
    chunked('Transfer-Encoding:', 'Transfer-Encoding: chunked'),
    { bun: '200 / abc', node: '400 closed', reason: stricter },
  ],

  // Chunks.
  ['a chunk size with zeros before it', chunks('0003\r\nabc\r\n0\r\n\r\n'), '200 / abc'],
  ['a chunk extension', chunks('3;a=b\r\nabc\r\n0\r\n\r\n'), '200 / abc'],
  [
    'a chunk extension of 20 KB',
    chunks(`3;a=${'b'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`),
    {
      bun: '413 closed',
      node: '400 closed',
      deno: '200 / abc',
      reason: 'Deno drops it, of any length, until the time limit.',
    },
  ],
  ['a chunk size with a prefix', chunks('0x3\r\nabc\r\n0\r\n\r\n'), '400 closed'],
  ['a chunk size and a space', chunks('3 \r\nabc\r\n0\r\n\r\n'), '400 closed'],
  ['a negative chunk size', chunks('-3\r\nabc\r\n0\r\n\r\n'), '400 closed'],
  ['a chunk size of 72 bits', chunks('ffffffffffffffffff\r\nabc\r\n0\r\n\r\n'), '400 closed'],
  ['a chunk without a size', chunks('zz\r\nabc\r\n0\r\n\r\n'), '400 closed'],
  ['a chunk longer than its size', chunks('3\r\nabcd\r\n0\r\n\r\n'), '400 closed'],
  ['chunks with bare line feeds', chunks('3\nabc\n0\n\n'), '400 closed'],
  [
    'trailers',
    chunks('3\r\nabc\r\n0\r\nA: b\r\n\r\n'),
    { bun: '200 / abc, 400 closed', node: '200 / abc', reason: 'Bun takes trailers for another request.' },
  ],

  // Connections.
  ['two requests', get('/a') + get('/b'), '200 /a, 200 /b'],
  ['a body and another request', `${post('/a', 'Content-Length: 3')}abc${get('/b')}`, '200 /a abc, 200 /b'],
  ['a request and malformed bytes', `${get('/a')}${get('/b', 'abc')}`, '200 /a, 400 closed'],
  [
    'a slow request and malformed bytes',
    `${get('/slow?ms=20')}${get('/b', 'abc')}`,
    { bun: '400 closed', node: '200, 400 closed', reason: 'Bun does not wait for the response before it.' },
  ],
  ['64 requests', get('/text?size=1').repeat(64), Array(64).fill('200').join(', ')],
  [
    '66 requests',
    get('/text?size=1').repeat(66),
    {
      bun: Array(66).fill('200').join(', '),
      node: 'closed',
      reason: 'Bun responds to each one before it reads the next.',
    },
  ],
  [
    'a slow request and another one',
    get('/slow?ms=20') + get('/b'),
    { bun: 'closed', node: '200, 200 /b', reason: 'Bun closes a connection with a request behind one that waits.' },
  ],
  ['Connection: close', get('/', 'Connection: close') + get('/b'), '200 / closed'],
  ['Connection with other options', get('/', 'Connection: x, CLOSE'), '200 / closed'],
  ['HTTP/1.0', 'GET /a HTTP/1.0\r\n\r\n', '200 /a closed'],
  [
    'HTTP/1.0 that keeps the connection',
    'GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    { bun: '200 /a closed', node: '200 /a', reason: 'Bun does not support it. Clients see that by the response.' },
  ],
  ['an upgrade', get('/', 'Connection: Upgrade', 'Upgrade: websocket'), '200 /'],
  ['Expect: 100-continue', `${post('/', 'Expect: 100-continue', 'Content-Length: 3')}abc`, '100, 200 / abc'],
  ['another expectation', `${post('/', 'Expect: x', 'Content-Length: 3')}abc`, '200 / abc'],
];
