/** Hostile pictures, over raw sockets, to the demo on each runtime. Each is refused with the same status and number, and changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { pictureBytesMax } from '../../src/base/app-error.ts';
import { formBytesMax } from '../../src/pictures/form.ts';
import { fileOfMonstera } from '../../src/pictures/sample.ts';
import { demoToken } from '../../src/tokens/sample.ts';
import { message, open } from '../support/network/connection.ts';
import { sendRaw } from '../support/network/raw.ts';
import { everyByte, type FormPart, formOf, partOf, pngOfBytes, readBytes } from '../support/pictures/pictures.ts';
import { startDemo } from '../support/programs/process.ts';
import { commandOf } from '../support/programs/programs.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { until } from '../support/until.ts';

const authorization = `Authorization: Bearer ${demoToken}`;
const path = '/plants/1/picture';
const [png, jpg] = [readBytes('leaf.png'), readBytes('leaf.jpg')];
const part: FormPart = [partOf('image/png'), png];

const put = (type: string, ...fields: string[]): string =>
  message('PUT', path, authorization, `Content-Type: ${type}`, ...fields);

const withLength = (type: string, body: Buffer): (string | Buffer)[] => [
  put(type, `Content-Length: ${body.length}`),
  body,
];

const inChunks = (type: string, body: Buffer): (string | Buffer)[] => {
  const size = 64 * 1024;
  const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  );
  const chunks = pieces.map((piece) =>
    Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
  );
  return [put(type, 'Transfer-Encoding: chunked'), ...chunks, '0\r\n\r\n'];
};

const form = (...parts: FormPart[]) => {
  const { contentType, body } = formOf(...parts);
  return withLength(contentType, body);
};

const withBoundary = (boundary: string): (string | Buffer)[] => {
  const { body } = formOf(part);
  const bytes = body.toString('latin1').replaceAll('boundary-of-a-test', boundary);
  return withLength(`multipart/form-data; boundary=${boundary}`, Buffer.from(bytes, 'latin1'));
};

const named = (name: string): FormPart => [
  `Content-Disposition: form-data; name="picture"; filename="${name}"\r\nContent-Type: image/png`,
  png,
];

/** What is sent, and the number of the error, or the status without one. */
const rows: [what: string, pieces: (string | Buffer)[], expected: number][] = [
  ['a PNG that is HTML', withLength('image/png', Buffer.from('<!doctype html><script>alert(1)</script>')), 41500],
  [
    'HTML behind the signature of a PNG',
    withLength('image/png', Buffer.concat([png.subarray(0, 8), Buffer.from('<script>')])),
    40000,
  ],
  ['a PNG that goes on as HTML', withLength('image/png', Buffer.concat([png, Buffer.from('<script>')])), 40000],
  ['a PNG that goes on as a ZIP', inChunks('image/png', Buffer.concat([png, Buffer.from('PK\x03\x04')])), 40000],
  ['a JPEG under the type of a PNG', withLength('image/png', jpg), 41500],
  ['a truncated JPEG', withLength('image/jpeg', jpg.subarray(0, -1)), 40000],
  ['half a JPEG in chunks', inChunks('image/jpeg', jpg.subarray(0, jpg.length / 2)), 40000],
  ['an SVG', withLength('image/svg+xml', Buffer.from('<svg/>')), 41500],
  ['1 MiB and 1 byte', withLength('image/png', pngOfBytes(pictureBytesMax + 1)), 41300],
  ['1 MiB and 1 byte in chunks', inChunks('image/png', pngOfBytes(pictureBytesMax + 1)), 41300],
  ['far more than 1 MiB in chunks', inChunks('image/png', Buffer.alloc(2 * pictureBytesMax)), 41300],
  ['a length of 2 MiB', [put('image/png', `Content-Length: ${2 * pictureBytesMax}`), png], 41300],
  [
    'a length that ends within the picture',
    [put('image/png', `Content-Length: ${png.length - 1}`, 'Connection: close'), png],
    40000,
  ],
  ['an empty body', withLength('image/png', Buffer.alloc(0)), 40000],
  ['an empty form', form(), 40001],
  ['a form with two pictures', form(part, part), 40001],
  ['a form with a larger picture', form([partOf('image/png'), pngOfBytes(pictureBytesMax + 1)]), 41300],
  [
    'a form with too much beside the picture',
    form(part, ['X: y', Buffer.alloc(pictureBytesMax + formBytesMax)]),
    41300,
  ],
  ['a form without its end', withLength(formOf().contentType, formOf(part).body.subarray(0, -4)), 40000],
  ['a boundary of 71 characters', withBoundary('b'.repeat(71)), 41500],
  ['a boundary of 70 characters', withBoundary('b'.repeat(70)), 204],
  ['a file name with quotes', form(named('a\\"b"; x="c')), 204],
  ['a file name with encoded line ends', form(named('a%0D%0Ab')), 204],
  ['a file name that is a path', form(named('../../etc/passwd')), 204],
  ['a line end within the name of the part', form([partOf('image/png', 'pic\r\nture'), png]), 40001],
];

describe.each(runtimeNames)('on %s', (runtime) => {
  let demo: Awaited<ReturnType<typeof startDemo>>;
  beforeAll(async () => {
    demo = await startDemo({ program: commandOf(`${runtime} source`) });
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  const headers = { authorization: `Bearer ${demoToken}` };
  const read = async (): Promise<Buffer> =>
    Buffer.from(await (await fetch(demo.url + path, { headers })).arrayBuffer());
  const readJson = async () =>
    (await fetch(demo.url + path, { headers: { ...headers, accept: 'application/json' } })).json();
  const reset = () => fetch(`${demo.url}/__demo/reset`, { method: 'POST', headers });

  test.each(rows)('%s', async (_what, pieces, expected) => {
    const { text } = await sendRaw(demo.port, pieces, { gapMs: 0 });
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
    const [, number] = /"error":(\d{5})/.exec(text) ?? [];
    expect(Number(number ?? status)).toBe(expected);
    expect(status).toBe(expected > 999 ? Math.floor(expected / 100) : expected);
    if (status < 400) await reset();
    expect((await read()).equals(fileOfMonstera.content)).toBe(true);
  });

  test('a body that stops changes nothing', async () => {
    for (const pieces of [
      [put('image/png', `Content-Length: ${png.length}`), png.subarray(0, -1)],
      [put('image/png', 'Transfer-Encoding: chunked'), `${png.length.toString(16)}\r\n`, png],
    ]) {
      const { socket, isClosed } = await open(demo.port);
      for (const piece of pieces) socket.write(piece);
      socket.end();
      await until(isClosed);
      expect((await read()).equals(fileOfMonstera.content)).toBe(true);
    }
  });

  test.each([png.length, 65_535, 65_536, 65_537, pictureBytesMax])(
    'a picture of %d bytes, a part of it, its JSON and their headers alone have the length',
    async (bytes) => {
      const picture = png.length === bytes ? png : pngOfBytes(bytes, everyByte);
      const { text } = await sendRaw(demo.port, withLength('image/png', picture));
      expect(text).toStartWith('HTTP/1.1 204');
      const json = Buffer.byteLength(JSON.stringify((await readJson()) as object));
      for (const [fields, status, length, from] of [
        [[], 200, bytes, 0],
        [['Range: bytes=1-'], 206, bytes - 1, 1],
        [['Range: bytes=-65536'], 206, Math.min(bytes, 65_536), Math.max(0, bytes - 65_536)],
        [['Accept: application/json'], 200, json, undefined],
      ] as const)
        for (const method of ['GET', 'HEAD']) {
          const { text } = await sendRaw(demo.port, [message(method, path, authorization, ...fields)], { gapMs: 0 });
          const [head = '', ...rest] = text.split('\r\n\r\n');
          const [body, isHead] = [Buffer.from(rest.join('\r\n\r\n'), 'latin1'), method === 'HEAD'];
          // RFC 9110 §14.2: a Range has a meaning for GET alone.
          const isPart = status === 206 && !isHead;
          expect([head, isHead]).toEqual([expect.stringContaining(`HTTP/1.1 ${isPart ? 206 : 200} `), isHead]);
          const lengths = head.match(/^content-length: *\d+$/gim)?.map((field) => Number(field.split(':')[1]));
          expect(lengths).toEqual([isHead && status === 206 ? bytes : length]);
          expect(head.toLowerCase()).not.toContain('transfer-encoding');
          expect(body.length).toBe(isHead ? 0 : length);
          if (from !== undefined && !isHead) expect(body.equals(picture.subarray(from, from + length))).toBe(true);
        }
      await reset();
    },
  );

  test('a picture is sent and read byte for byte, in parts too', async () => {
    const largest = pngOfBytes(pictureBytesMax);
    const sent = await fetch(demo.url + path, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'image/png' },
      body: largest,
    });
    expect(sent.status).toBe(204);
    expect((await read()).equals(largest)).toBe(true);
    const middle = await fetch(demo.url + path, { headers: { ...headers, range: 'bytes=1000-600000' } });
    expect(middle.status).toBe(206);
    expect(Buffer.from(await middle.arrayBuffer()).equals(largest.subarray(1000, 600_001))).toBe(true);
    const head = await fetch(demo.url + path, { method: 'HEAD', headers });
    expect(head.headers.get('content-length')).toBe(`${pictureBytesMax}`);
    await reset();
  });
});
