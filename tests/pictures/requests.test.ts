import { beforeEach, describe, expect, test } from 'bun:test';
import { pictureBytesMax } from '../../src/base/app-error.ts';
import { formBytesMax, partsMax } from '../../src/pictures/form.ts';
import { create, createTestApp, errorOf, jsonOf, type TestApp } from '../support/app/app.ts';
import { filesByType, formOf, partOf, pngOfBytes, readBytes, typeOf } from '../support/pictures/pictures.ts';
import { onBothEngines } from '../support/store/engines.ts';

const png = readBytes('leaf.png');
const path = '/plants/1/picture';

let app: TestApp;

const put = (body: Uint8Array<ArrayBuffer> | ReadableStream, headers: Record<string, string> = {}) =>
  app.send('PUT', path, { headers: { 'content-type': 'image/png', ...headers }, body });

const get = (headers: Record<string, string> = {}, method = 'GET') => app.send(method, path, { headers });

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

const etagOf = (response: Response): string => `${response.headers.get('etag')}`;

onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
    await create(app, '{"id":1,"name":"Monstera"}');
  });

  test.each(Object.entries(filesByType))('a picture sent as %s is read byte for byte', async (_type, file) => {
    const response = await put(file.body, { 'content-type': file.contentType });
    expect([response.status, await response.text()]).toEqual([201, '']);
    const read = await get();
    const sent = file.contentType.startsWith('multipart') ? png : file.body;
    expect((await bytesOf(read)).equals(sent)).toBe(true);
    expect(etagOf(read)).toBe(etagOf(response));
    expect((await put(file.body, { 'content-type': file.contentType })).status).toBe(204);
  });

  test('the picture is in the plant, in lists, in the log, and not in the response to the creation', async () => {
    await put(png);
    const picture = {
      type: 'image/png',
      width: 24,
      height: 16,
      bytes: png.length,
      digest: new Bun.CryptoHasher('sha256').update(png).digest('hex'),
    };
    const plant = await jsonOf(await app.send('GET', '/plants/1'));
    expect(plant).toEqual({ id: 1, name: 'Monstera', createdAt: plant.createdAt, updatedAt: plant.updatedAt, picture });
    expect(await jsonOf(await app.send('GET', '/plants'))).toEqual([plant]);
    expect(await jsonOf(await app.send('GET', '/plants?sort=-createdAt&search=on'))).toEqual([plant]);
    expect((await jsonOf(await app.send('GET', '/events'))).at(-1)).toMatchObject({
      type: 'plant.picture.updated',
      id: 1,
      picture,
    });
    expect(await (await create(app, '{"id":1,"name":"Monstera"}')).text()).toBe('{"name":"Monstera"}');
  });

  test('a picture in the body of a creation or a change is ignored, as other members that only the service sets', async () => {
    const body = '{"id":2,"name":"Ficus","picture":{"type":"image/png"}}';
    expect(await (await create(app, body)).text()).toBe('{"name":"Ficus"}');
    const patched = await app.send('PATCH', '/plants/2', {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"picture":null,"name":"Moss"}',
    });
    expect(await jsonOf(patched)).not.toHaveProperty('picture');
    await put(png);
    await app.send('PATCH', '/plants/1', { headers: { 'content-type': 'application/json' }, body: '{"picture":null}' });
    expect((await get()).status).toBe(200);
  });

  test('the JSON has the bytes in base64, and an entity tag of its own', async () => {
    await put(png);
    const [bytes, json] = [await get(), await get({ accept: 'application/json' })];
    const { content, ...picture } = await jsonOf(json);
    expect(content).toBe(png.toString('base64'));
    expect(picture).toEqual((await jsonOf(await app.send('GET', '/plants/1'))).picture);
    expect(etagOf(json)).not.toBe(etagOf(bytes));
    const known = await get({ accept: 'application/json', 'if-none-match': etagOf(json) });
    expect([known.status, (await get({ 'if-none-match': etagOf(json) })).status]).toEqual([304, 200]);
    expect((await put(png, { 'if-match': etagOf(json) })).status).toBe(204);
  });

  test('a browser shows the picture, asks each time, and runs nothing in it', async () => {
    await put(png);
    const { headers } = await get({ accept: 'image/avif,image/webp,*/*;q=0.8' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="plant1.png"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      vary: expect.stringMatching(/accept/i),
    });
  });

  test('HEAD has the headers of GET, and 304 has no body', async () => {
    await put(png);
    const [head, whole] = [await get({}, 'HEAD'), await get()];
    expect(Object.fromEntries(head.headers)).toEqual({
      ...Object.fromEntries(whole.headers),
      'x-request-id': expect.any(String),
    });
    const known = await get({ 'if-none-match': etagOf(whole) });
    expect([known.status, await known.text(), etagOf(known)]).toEqual([304, '', etagOf(whole)]);
  });

  test('a picture that is replaced while it is read has the headers of its bytes', async () => {
    await put(png);
    const { store } = app;
    const jpg = filesByType['image/jpeg'] as { contentType: string; body: Buffer<ArrayBuffer> };
    const replace = createTestApp({
      store: {
        ...store,
        pictures: {
          ...store.pictures,
          get: async (id) => {
            await put(jpg.body, { 'content-type': jpg.contentType });
            return store.pictures.get(id);
          },
        },
      },
    });
    const read = await (await replace).send('GET', path);
    expect(read.headers.get('content-type')).toBe('image/jpeg');
    expect(etagOf(read)).toBe(etagOf(await get()));
    expect((await bytesOf(read)).equals(jpg.body)).toBe(true);
  });

  test.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=10-', 206, 10, png.length],
    ['bytes=-5', 206, png.length - 5, png.length],
    ['bytes=-100000', 206, 0, png.length],
    [`bytes=0-${png.length + 5}`, 206, 0, png.length],
    [`bytes=${png.length - 1}-`, 206, png.length - 1, png.length],
    ['BYTES=0-0', 206, 0, 1],
    ['bytes=9-8', 200, 0, png.length],
    ['bytes=0-1,5-6', 200, 0, png.length],
    ['pixels=0-1', 200, 0, png.length],
    ['bytes=-', 200, 0, png.length],
    ['bytes=x-1', 200, 0, png.length],
    ['bytes=0.5-1', 200, 0, png.length],
  ])('Range %p gets %d and the bytes from %d to %d', async (range, status, start, end) => {
    await put(png);
    const response = await get({ range });
    expect(response.status).toBe(status);
    expect((await bytesOf(response)).equals(png.subarray(start, end))).toBe(true);
    const header = status === 206 ? `bytes ${start}-${end - 1}/${png.length}` : null;
    expect(response.headers.get('content-range')).toBe(header);
  });

  test.each([`bytes=${png.length}-`, 'bytes=999999999-', 'bytes=-0'])('Range %p gets 416', async (range) => {
    await put(png);
    const response = await get({ range });
    expect(response.headers.get('content-range')).toBe(`bytes */${png.length}`);
    expect(await errorOf(response)).toBe(41600);
  });

  test('Range is ignored for HEAD, for JSON, and with the tag of another version in If-Range', async () => {
    const etag = etagOf(await put(png));
    const range = 'bytes=0-1';
    expect((await get({ range, 'if-range': etag })).status).toBe(206);
    expect((await get({ range, 'if-range': '"other"' })).status).toBe(200);
    expect((await get({ range, 'if-range': `W/${etag}` })).status).toBe(200);
    expect((await get({ range }, 'HEAD')).status).toBe(200);
    expect((await get({ range, accept: 'application/json' })).status).toBe(200);
  });

  test('conditions protect the picture of somebody else', async () => {
    expect(await errorOf(await put(png, { 'if-match': '*' }))).toBe(40400);
    const etag = etagOf(await put(png, { 'if-none-match': '*' }));
    const refused = await put(readBytes('leaf.jpg'), { 'content-type': 'image/jpeg', 'if-none-match': '*' });
    expect(etagOf(refused)).toBe(etag);
    expect(await errorOf(refused)).toBe(41200);
    const next = await put(readBytes('leaf.jpg'), { 'content-type': 'image/jpeg', 'if-match': etag });
    expect(next.status).toBe(204);
    expect((await app.send('DELETE', path, { headers: { 'if-match': etag } })).status).toBe(412);
    expect((await app.send('DELETE', path, { headers: { 'if-match': etagOf(next) } })).status).toBe(204);
    expect(await errorOf(await app.send('DELETE', path))).toBe(40400);
    expect(await errorOf(await get())).toBe(40400);
  });

  test('the version of the plant changes with its picture', async () => {
    const before = etagOf(await app.send('GET', '/plants/1'));
    await put(png);
    expect((await app.send('GET', '/plants/1', { headers: { 'if-none-match': before } })).status).toBe(200);
    expect(await errorOf(await app.send('DELETE', '/plants/1', { headers: { 'if-match': before } }))).toBe(41200);
  });
});

describe('what is refused', () => {
  beforeEach(async () => {
    app = await createTestApp();
    await create(app, '{"id":1,"name":"Monstera"}');
  });

  const part = [partOf('image/png'), png] as const;
  const form = formOf(part);

  test.each(['a', 'b'.repeat(70), "'()+_,-./:=?0 x"])('a boundary may be %p', async (boundary) => {
    const body = Buffer.from(form.body.toString('latin1').replaceAll('boundary-of-a-test', boundary), 'latin1');
    const response = await put(body, { 'content-type': `multipart/form-data; boundary="${boundary}"` });
    expect(response.status).toBe(201);
  });

  test.each(['', '; boundary=', `; boundary=${'b'.repeat(71)}`, '; boundary="a "', '; boundary=a; boundary=a'])(
    'a form with the parameters %p is refused',
    async (parameters) => {
      expect(await errorOf(await put(form.body, { 'content-type': `multipart/form-data${parameters}` }))).toBe(41500);
    },
  );

  const names = ['a"b.png', 'a\\"b.png', 'a%0D%0Ab.png', 'ä.png', '../../x', ''];
  test.each(names)('a file may have the name %p, which is ignored', async (name) => {
    const headers = `Content-Disposition: form-data; name="picture"; filename="${name}"\r\nContent-Type: image/png`;
    const { contentType, body } = formOf([headers, png]);
    const response = await put(body, { 'content-type': contentType });
    expect([name, response.status]).toEqual([name, 201]);
    expect((await get()).headers.get('content-disposition')).toBe('inline; filename="plant1.png"');
  });

  test.each<[string, ReturnType<typeof formOf>, number, string]>([
    ['no part', formOf(), 40001, 'required'],
    ['another part alone', formOf([partOf('image/png', 'photo'), png]), 40001, 'required'],
    ['two pictures', formOf(part, part), 40001, 'one part'],
    ['a text as the picture', formOf(['Content-Disposition: form-data; name="picture"', 'x']), 41500, 'part picture'],
    ['an SVG', formOf([partOf('image/svg+xml'), '<svg/>']), 41500, 'part picture'],
    ['HTML as a PNG', formOf([partOf('image/png'), '<html>']), 41500, 'not in the format'],
    ['an incomplete PNG', formOf([partOf('image/png'), png.subarray(0, -1)]), 40000, 'incomplete'],
    ['an empty file', formOf([partOf('image/png'), '']), 41500, 'not in the format'],
    ['no end', { ...form, body: form.body.subarray(0, -4) }, 40000, 'form is incomplete'],
    ['no beginning', { ...form, body: form.body.subarray(4) }, 40000, 'form is incomplete'],
    ['headers without an end', formOf([`${partOf('image/png')}\r\n${'x: '.repeat(9000)}`, png]), 40000, 'form is'],
    ['too many parts', formOf(...Array.from({ length: partsMax + 1 }, () => part)), 40000, 'form is'],
    ['a line end in a name', formOf([partOf('image/png', 'pic\r\nture'), png]), 40001, 'required'],
  ])('a form with %s is refused with %d', async (_what, { contentType, body }, error, message) => {
    const response = await put(body, { 'content-type': contentType });
    const text = await response.clone().text();
    expect(await errorOf(response)).toBe(error);
    expect(text).toContain(message);
    expect((await get()).status).toBe(404);
  });

  test.each(['', '\r\nContent-Type: application/octet-stream'])(
    'a file of a form may have no type of its own: %j',
    async (type) => {
      const headers = `Content-Disposition: form-data; name="picture"; filename="leaf"${type}`;
      for (const [mediaType, { body: file }] of Object.entries(filesByType).slice(0, 3)) {
        const { contentType, body } = formOf([headers, file]);
        expect((await put(body, { 'content-type': contentType })).status).toBeWithin(201, 205);
        expect((await get()).headers.get('content-type')).toBe(mediaType);
      }
      const { contentType, body } = formOf([headers, '<html>']);
      expect(await errorOf(await put(body, { 'content-type': contentType }))).toBe(41500);
    },
  );

  test('other parts of a form are ignored', async () => {
    const { contentType, body } = formOf([partOf('text/plain', 'note'), 'by the window'], part);
    expect((await put(body, { 'content-type': contentType })).status).toBe(201);
  });

  const chunked = (bytes: Uint8Array) =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 1000) controller.enqueue(bytes.subarray(at, at + 1000));
        controller.close();
      },
    });

  test('a picture has at most 1 MiB, in a form too, however it arrives', async () => {
    const largest = pngOfBytes(pictureBytesMax);
    const larger = pngOfBytes(pictureBytesMax + 1);
    const formWith = (bytes: Uint8Array) => formOf([partOf('image/png'), bytes]);
    for (const [body, contentType] of [
      [largest, 'image/png'],
      [formWith(largest).body, form.contentType],
    ] as const)
      for (const sent of [body, chunked(body)])
        expect((await put(sent, { 'content-type': contentType })).status).toBeWithin(201, 205);
    for (const [body, contentType] of [
      [larger, 'image/png'],
      [Buffer.alloc(pictureBytesMax + formBytesMax + 1), 'image/png'],
      [formWith(larger).body, form.contentType],
    ] as const)
      for (const sent of [body, chunked(body)])
        expect(await errorOf(await put(sent as Buffer<ArrayBuffer>, { 'content-type': contentType }))).toBe(41300);
  });

  test('the limit of other bodies is still 64 KiB', async () => {
    expect(await errorOf(await create(app, `{"id":2,"name":"${'x'.repeat(64 * 1024)}"}`))).toBe(41300);
  });

  test.each([
    ['image/gif', 41500],
    ['image/svg+xml', 41500],
    ['application/json', 41500],
    ['image/jpeg', 41500],
    ['IMAGE/PNG', 201],
    ['image/png; charset=utf-8', 201],
  ])('a PNG with the Content-Type %p gets %d', async (type, expected) => {
    const response = await put(png, { 'content-type': type });
    expect(response.status < 400 ? response.status : await errorOf(response)).toBe(expected);
  });

  test('an encoded body is refused', async () => {
    expect(await errorOf(await put(png, { 'content-encoding': 'gzip' }))).toBe(41500);
  });

  test('a token that may not write gets 403 before the body is read', async () => {
    const names = ['leaf.png', 'leaf.webp'];
    expect(names.map(typeOf)).toEqual(['image/png', 'image/webp']);
    const response = await app.send('PUT', path, { authorization: null, headers: { 'content-type': 'image/png' } });
    expect(await errorOf(response)).toBe(40100);
  });
});
