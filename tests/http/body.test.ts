import { beforeAll, describe, expect, test } from 'bun:test';
import { bodyBytesMax } from '../../src/base/app-error.ts';
import { isUtf8, parseMediaType } from '../../src/http/media-type.ts';
import { asJson, create, createTestApp, errorOf, type TestApp } from '../support/app/app.ts';
import { expectLinear } from '../support/pace.ts';
import { onBothEngines } from '../support/store/engines.ts';

let app: TestApp;
onBothEngines(() => {
  beforeAll(async () => {
    app = await createTestApp();
  });

  const plant = '{"id":1,"name":"n"}';

  /** A plant whose JSON is exactly this long. */
  const plantOf = (lengthBytes: number): string => `${plant.slice(0, -1)},"x":"${'x'.repeat(lengthBytes - 26)}"}`;

  const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
    new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as string))));

  describe('a media type that is not JSON in UTF-8 is refused', () => {
    test.each([
      ['no Content-Type', {}],
      ['text', { 'content-type': 'text/plain' }],
      ['a type that begins like the JSON type', { 'content-type': 'application/jsonp' }],
      ['a type that Elysia accepts as JSON', { 'content-type': 'application/junk' }],
      ['a merge patch', { 'content-type': 'application/merge-patch+json' }],
      ['two media types', { 'content-type': 'application/json, text/plain' }],
      ['two media types, the first with a parameter', { 'content-type': 'application/json; a=b, text/plain' }],
      ['two charsets', { 'content-type': 'application/json; charset=utf-8; charset=utf-16' }],
      ['the same charset twice', { 'content-type': 'application/json; charset=utf-8; CHARSET="utf-8"' }],
      ['a space before an equals sign', { 'content-type': 'application/json; charset =utf-8' }],
      ['a parameter without a value', { 'content-type': 'application/json; charset' }],
      ['a word after the media type', { 'content-type': 'application/json utf-8' }],
      ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['a word that is not a media type', { 'content-type': 'json' }],
      ['an empty Content-Type', { 'content-type': '' }],
      ['another charset', { 'content-type': 'application/json; charset=utf-16' }],
      ['a charset in quotes', { 'content-type': 'application/json; charset="iso-8859-1"' }],
      ['an empty charset', { 'content-type': 'application/json; charset=""' }],
      ['a charset of white space', { 'content-type': 'application/json; charset="  "' }],
      ['a charset that begins like UTF-8', { 'content-type': 'application/json; charset=utf-8-bom' }],
      ['a charset with a space in it', { 'content-type': 'application/json; charset="utf 8"' }],
      ['a charset with a space that is not ASCII', { 'content-type': 'application/json; charset="\u00a0utf-8"' }],
      ['a charset of another spelling', { 'content-type': 'application/json; charset=utf_8' }],
      ['UTF-7', { 'content-type': 'application/json; charset=utf-7' }],
      ['single quotes', { 'content-type': "application/json; charset='utf-8'" }],
      ['two labels of UTF-8', { 'content-type': 'application/json; charset=utf-8; charset=utf8' }],
      ['an incomplete quoted charset', { 'content-type': 'application/json; charset="utf-8' }],
      ['Content-Encoding gzip', { ...asJson, 'content-encoding': 'gzip' }],
      ['Content-Encoding identity', { ...asJson, 'content-encoding': 'identity' }],
      ['Content-Encoding after an empty element', { ...asJson, 'content-encoding': ', br' }],
    ])('a body that is sent with %s is refused', async (_what, headers) => {
      // With a string, Request adds a Content-Type.
      expect(await errorOf(await app.send('POST', '/plants', { headers, body: bytes(plant) }))).toBe(41500);
    });
  });

  test.each(['', ' ', ',', ' , ,'])(
    'a Content-Encoding of %p has no coding, so the body is accepted',
    async (header) => {
      const headers = { ...asJson, 'content-encoding': header };
      expect((await app.send('POST', '/plants', { headers, body: bytes('{"id":40,"name":"n"}') })).status).toBe(200);
    },
  );

  test('many spaces around a charset are read in linear time', () => {
    const read = (size: number) => isUtf8(`${' '.repeat(size)}utf-8${' '.repeat(size)}x`);
    expect(read(100_000)).toBe(false);
    expectLinear(read, 10_000);
  });

  test.each([
    ['spaces', ' '],
    ['empty parameters', ' ; '],
    ['tabs and semicolons', '\t;'],
  ])('a media type with many %s is parsed in linear time, and refused', (_what, piece) => {
    const parse = (size: number) => parseMediaType(`application/json;${piece.repeat(size)}=`);
    expect(parse(50_000)).toBeUndefined();
    expectLinear(parse, 2000);
  });

  describe('a body that is not one JSON text is refused', () => {
    test.each<[string, string | Uint8Array<ArrayBuffer>]>([
      ['no content', ''],
      ['only white space', '  '],
      ['an incomplete object', '{"id":1,"name":"n"'],
      ['trailing data', `${plant}x`],
      ['two plants', `${plant}\n${plant}`],
      ['a byte order mark', `\uFEFF${plant}`],
      ['a byte that is not UTF-8', bytes('{"id":1,"name":"', [0xff], '"}')],
      ['an overlong encoding of a slash', bytes('{"id":1,"name":"', [0xc0, 0xaf], '"}')],
      ['a surrogate in UTF-8', bytes('{"id":1,"name":"', [0xed, 0xa0, 0x80], '"}')],
      ['an incomplete character at the end', bytes('"', [0xe2, 0x82])],
      ['UTF-16', new Uint8Array(Buffer.from(plant, 'utf16le'))],
      ['a duplicate name', '{"id":1,"name":"n","name":"n"}'],
      ['a duplicate name in a nested object', '{"id":1,"name":"n","x":{"a":1,"a":1}}'],
      ['33 levels of nesting', `{"id":1,"name":"n","x":${'['.repeat(32)}${']'.repeat(32)}}`],
      ['NaN', '{"id":NaN,"name":"n"}'],
    ])('a body with %s is refused as malformed', async (_what, body) => {
      expect(await errorOf(await create(app, body))).toBe(40000);
    });

    test('a body with 32 levels of nesting is accepted', async () => {
      const response = await create(app, `{"id":32,"name":"n","x":${'['.repeat(31)}${']'.repeat(31)}}`);
      expect(response.status).toBe(200);
    });
  });

  describe('a body has at most 64 KiB', () => {
    const stream = (text: string): ReadableStream =>
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < text.length; at += 1000) controller.enqueue(Buffer.from(text.slice(at, at + 1000)));
          controller.close();
        },
      });

    test('a body of exactly 64 KiB is accepted, with or without Content-Length', async () => {
      expect(bodyBytesMax).toBe(65_536);
      expect(plantOf(bodyBytesMax)).toHaveLength(bodyBytesMax);
      expect((await create(app, plantOf(bodyBytesMax))).status).toBe(200);
      expect((await create(app, stream(plantOf(bodyBytesMax)))).status).toBe(200);
    });

    test('a body of one byte more than 64 KiB is refused, with or without Content-Length', async () => {
      const declared = await app.send('POST', '/plants', {
        headers: { ...asJson, 'content-length': `${bodyBytesMax + 1}` },
        body: plantOf(bodyBytesMax + 1),
      });
      expect(declared.headers.get('connection')).toBe('close');
      expect(await errorOf(declared)).toBe(41300);
      const counted = await create(app, stream(plantOf(bodyBytesMax + 1)));
      expect(counted.headers.get('connection')).toBe('close');
      expect(await errorOf(counted)).toBe(41300);
    });

    test('the limit of a body counts bytes, not characters', async () => {
      const text = `{"id":2,"name":"n","x":"${'é'.repeat(bodyBytesMax / 2)}"}`;
      expect(await errorOf(await create(app, stream(text)))).toBe(41300);
    });
  });

  test('an incomplete body is refused as malformed', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('gone'));
      },
    });
    expect(await errorOf(await create(app, body))).toBe(40000);
  });

  test('a refused body creates no plant', async () => {
    expect((await app.send('GET', '/plants/2')).status).toBe(404);
  });
});
