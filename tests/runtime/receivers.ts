/**
 * Receivers of webhooks that do not behave, and the outcome that an attempt must have: the same on every runtime, except where `differs`
 * has another. An attempt without a response may only last until its time limit if its outcome is `timeout`.
 */
import type { Socket } from 'node:net';
import type { Attempt } from '../../src/deliveries/delivery.ts';
import { drip, flood, floodNow, say, sayLast } from '../support/network/raw-server.ts';
import type { RuntimeName } from '../support/programs/runtimes.ts';

export type ExpectedAttempt = Pick<Attempt, 'status' | 'failure' | 'excerpt'>;

export type RawReceiver = readonly [
  handle: (socket: Socket) => void,
  expected: ExpectedAttempt,
  differs?: Readonly<Partial<Record<RuntimeName, ExpectedAttempt>>>,
];
type Receivers = Readonly<Record<string, RawReceiver>>;

const connection = { failure: 'connection' } as const;
const timeout = { failure: 'timeout' } as const;
const ok = { status: 200 };
const failed = { status: 500 };

export const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const status = (code: string): string => `HTTP/1.1 ${code} X\r\ncontent-length: 2\r\n\r\nok`;
const withHeaders = (lines: string): string => `HTTP/1.1 200 OK\r\n${lines}content-length: 2\r\n\r\nok`;
const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
const hint = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
const proceed = 'HTTP/1.1 100 Continue\r\n\r\n';
const chunked = 'HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n';

/** Bun limits no informational responses. */
const floodOfHints = (piece: string): RawReceiver => [flood(piece), connection, { bun: timeout }];

/** What ends a request without a response, and what looks like one. */
const withoutResponse: Receivers = {
  'closes the connection before the request': [(socket) => socket.destroy(), connection],
  'closes it after the request': [sayLast(''), connection],
  'resets it after the request': [(socket) => socket.once('data', () => socket.resetAndDestroy()), connection],
  'closes it within the header section': [sayLast('HTTP/1.1 200 OK\r\na: '), connection],
  'does not respond': [(socket) => socket.resume(), timeout],
  'switches to another protocol': [say(switching), connection],
  'switches to another protocol and closes the connection': [sayLast(switching), connection],
  'switches to another protocol and then responds': [say(switching + answer), connection],
  'switches to another protocol without end': [flood(switching), connection],
  'switches to no protocol': [say('HTTP/1.1 101 Switching Protocols\r\n\r\n'), connection],
  'switches to a protocol without Connection': [say('HTTP/1.1 101 X\r\nupgrade: h2c\r\n\r\n'), connection],
  'sends one early hint': [say(hint), timeout],
  'uses HTTP/0.9': [sayLast('ok'), connection],
  'uses SSH': [sayLast('SSH-2.0-OpenSSH\r\n\r\n'), connection],
  'has the status 1000': [say(status('1000')), connection],
  'has the status -200': [say(status('-200')), connection],
  'has the status 2xx': [say(status('2xx')), connection],
  'has two lengths': [say(withHeaders('content-length: 3\r\n')), connection],
  'has a negative length': [say('HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nok'), connection],
  'has a header without a colon': [say(withHeaders('a\r\n')), connection],
  'has a NUL in a header': [say(withHeaders('a: b\0c\r\n')), connection],
  'has a folded header': [say(withHeaders('a: b\r\n c\r\n')), connection],
};

/** What a receiver can send without end before its response. */
const endlessBefore: Receivers = {
  'sends early hints without end': floodOfHints(hint),
  'sends 100 without end': floodOfHints(proceed),
  'sends 102 without end': floodOfHints('HTTP/1.1 102 Processing\r\n\r\n'),
  'sends empty lines without end': [flood('\r\n'), connection],
  'sends line feeds without end': [flood('\n'), connection],
  'sends NUL without end': [flood('\0'), connection],
  'sends a version without end': [flood('0', 'HTTP/1.'), connection],
  'sends a reason without end': [flood('a', 'HTTP/1.1 200 '), connection],
  'sends headers without end': [flood('a: b\r\n', 'HTTP/1.1 200 OK\r\n'), connection],
  'sends empty headers without end': [flood('a:\r\n', 'HTTP/1.1 200 OK\r\n'), connection],
  'sends a name without end': [flood('a', 'HTTP/1.1 200 OK\r\n'), connection],
  'sends a value without end': [flood('a', 'HTTP/1.1 200 OK\r\na: '), connection],
  'sends the spaces before a value without end': [flood(' ', 'HTTP/1.1 200 OK\r\na:'), connection],
  'sends an early hint without end': [flood('a: b\r\n', 'HTTP/1.1 103 X\r\n'), connection],
  'sends an early hint at a time': [drip(hint), timeout],
  'sends a header at a time': [drip('a: b\r\n', 'HTTP/1.1 200 OK\r\n'), timeout],
  'sends an empty line at a time': [drip('\r\n'), timeout, { bun: connection }],
};

/** A response, with what may come before and after it. */
const afterStatus: Receivers = {
  'sends three early hints before its response': [say(hint.repeat(3) + answer), ok],
  'sends 100 before its response': [say(proceed + answer), ok],
  'responds before the request': [(socket) => socket.resume().write(answer), ok],
  'offers another protocol': [say(withHeaders('upgrade: h2c\r\nconnection: upgrade\r\n')), ok],
  'has the status 000': [say(status('000')), connection],
  'has the status 099': [say(status('099')), connection],
  'has the status 999': [say(status('999')), { status: 999, excerpt: 'ok' }],
  'has no reason': [say('HTTP/1.1 500\r\ncontent-length: 2\r\n\r\nok'), { ...failed, excerpt: 'ok' }],
  'uses HTTP/1.0': [sayLast('HTTP/1.0 500 Oh\r\n\r\nok'), { ...failed, excerpt: 'ok' }],
  'has 100 headers': [say(withHeaders('a: b\r\n'.repeat(100))), ok],
  'has 15 KB of headers': [say(withHeaders(`a: ${'b'.repeat(15_000)}\r\n`)), ok],
  'has a value that is not ASCII': [say(Buffer.from(withHeaders('a: \xe9\r\n'), 'latin1')), ok],
  'sends a body with 204': [say(status('204')), { status: 204 }],
  'sends no body with 304': [say('HTTP/1.1 304 X\r\ncontent-length: 2\r\n\r\n'), { status: 304 }],
  'closes the connection within its body': [sayLast('HTTP/1.1 500 Oh\r\ncontent-length: 9\r\n\r\nab'), failed],
  'closes it within a chunk': [sayLast(`${chunked}5\r\nab`), failed],
  'sends an invalid chunk': [say(`${chunked}zz\r\nab`), failed],
  'sends a chunk that is too long': [say(`${chunked}${'f'.repeat(17)}\r\nab`), failed],
};

/** What a receiver can send without end within its response, and after it. */
const endlessAfter: Receivers = {
  'sends its body at a time': [drip('x', 'HTTP/1.1 500 Oh\r\ncontent-length: 99999\r\n\r\n'), failed],
  'sends a trailer at a time': [drip('a: b\r\n', `${chunked}2\r\nok\r\n0\r\n`), failed],
  'sends a body without end': [flood('x', 'HTTP/1.1 500 Oh\r\n\r\n'), failed],
  'sends a compressed body without end': [flood('\0', 'HTTP/1.1 500 Oh\r\ncontent-encoding: gzip\r\n\r\n'), failed],
  'sends a chunk without end': [flood('x', `${chunked}ffffffff\r\n`), failed],
  'sends small chunks without end': [flood('1\r\nx\r\n', chunked), failed],
  'sends chunks with extensions without end': [flood('1;a=b\r\nx\r\n', chunked), failed],
  'sends the extension of a chunk without end': [flood('a', `${chunked}1;`), failed],
  'sends the size of a chunk without end': [flood('0', chunked), failed],
  'sends trailers without end': [flood('a: b\r\n', `${chunked}2\r\nok\r\n0\r\n`), failed],
  'sends a trailer without end': [flood('a', `${chunked}2\r\nok\r\n0\r\na: `), failed],
  'sends responses without end': [flood(answer), ok],
  'sends data without end after its response': [flood('x', answer), ok],
  'sends empty lines without end after its response': [flood('\r\n', answer), ok],
  'sends early hints without end after its response': [flood(hint, answer), ok],
};

/** Some parsers are less strict than others. Nothing depends on it. */
const lenient: Receivers = {
  'has 1,000 headers': [say(withHeaders('a: b\r\n'.repeat(1000))), ok, { bun: connection }],
  'has 20 KB of headers': [say(withHeaders(`a: ${'b'.repeat(20_000)}\r\n`)), connection, { bun: ok }],
  'has a length and chunks': [
    say('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'),
    connection,
    { bun: ok },
  ],
  'ends its lines with line feeds alone': [say(answer.replaceAll('\r', '')), connection, { bun: ok }],
  'uses HTTP/2.0 as text': [say(answer.replace('1.1', '2.0')), ok, { bun: connection }],
  'uses HTTP/1.2': [say(answer.replace('1.1', '1.2')), connection, { bun: ok }],
};

/** Their connection is closed after the attempt. */
export const closedReceivers: Receivers = { ...withoutResponse, ...endlessBefore, ...endlessAfter };
/** Their connection may be kept. */
export const otherReceivers: Receivers = { ...afterStatus, ...lenient };
/** All of them together delay no other attempt. */
export const endlessReceivers: Receivers = { ...endlessBefore, ...endlessAfter };

/** They send this while their connection is kept without a request. The next message must arrive over another one. */
export const unaskedData: Readonly<Record<string, (socket: Socket) => void>> = {
  'another response': (socket) => socket.write('HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok'),
  'data without end': (socket) => floodNow(socket, 'x'),
  'empty lines without end': (socket) => floodNow(socket, '\r\n'),
  'early hints without end': (socket) => floodNow(socket, hint),
};
