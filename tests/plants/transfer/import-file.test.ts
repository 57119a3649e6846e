/** `POST /import`: files that clients send, in one transaction. The formats have tests of their own, and those of the command. */
import { beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { importBytesMax, importRowsMax } from '../../../src/base/app-error.ts';
import { importsMax, rejectedRowsMax } from '../../../src/plants/transfer/importer.ts';
import { createTestApp, giveToken, jsonOf, type SendOptions, type TestApp } from '../../support/app/app.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { onBothEngines, openTestStore } from '../../support/store/engines.ts';
import { until } from '../../support/until.ts';

const csv = 'text/csv';
const ndjson = 'application/x-ndjson';

type Body = SendOptions['body'];

const rowsOf = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, index) => `${from + index},n,t\n`).join('');

onBothEngines(() => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp();
  });

  const send = (query: string, contentType: string, body: NonNullable<Body>) =>
    app.send('POST', `/import${query}`, { headers: { 'content-type': contentType }, body });
  const importFile = async (query: string, contentType: string, body: NonNullable<Body>) => {
    const response = await send(query, contentType, body);
    return { status: response.status, ...(await jsonOf(response)) };
  };
  const namesIn = async (): Promise<string[]> =>
    (await jsonOf(await app.send('GET', '/plants'))).map(({ name }: { name: string }) => name);

  const nothing = { dryRun: false, created: 0, replaced: 0, unchanged: 0, skipped: 0, rejected: 0 };

  test.each([
    [ndjson, '{"id":9223372036854775807,"name":"a"}\n{"id":2,"name":"b","tag":null,"color":"x"}'],
    [csv, '\uFEFFID;Name;Tag;color\r\n9223372036854775807;a;;\r\n2;b;;x\r\n'],
    [csv, 'id\tname\tcolor\n9223372036854775807\ta\t\n2\tb\tx\n'],
  ])('a file in %s is imported exactly, each plant with its event, and again without a change', async (type, body) => {
    expect(await importFile('', type, body)).toEqual({
      status: 200,
      ...nothing,
      created: 2,
      rejectedRows: [],
      ignored: ['"color"'],
    });
    expect(await app.store.plants.get(2n ** 63n - 1n)).toMatchObject({ name: 'a', tag: undefined });
    const events = await app.store.events.list({ limit: 10 });
    expect(events.map(({ type, id }) => [type, id])).toEqual([
      ['plant.created', 9223372036854775807n],
      ['plant.created', 2n],
    ]);
    expect(await importFile('', type, body)).toMatchObject({ status: 200, created: 0, unchanged: 2 });
    expect(await app.store.events.head()).toBe(2n);
  });

  test('an export is imported with its times', async () => {
    const time = '2020-01-01T00:00:00.000Z';
    await importFile('', csv, `id,name,tag,createdAt,updatedAt\r\n1,"n",,"${time}","2021-01-01T00:00:00+01:00"\r\n`);
    expect(await app.store.plants.get(1n)).toMatchObject({ createdAt: time, updatedAt: '2020-12-31T23:00:00.000Z' });
  });

  const mixed = 'id,name\n1,new\n2,other\n3,third\n3,fourth\n';

  test.each([
    ['', { status: 409, error: 40900 }, ['old']],
    ['?onConflict=fail', { status: 409, error: 40900 }, ['old']],
    ['?onConflict=skip', { status: 200, created: 2, skipped: 2 }, ['new', 'old', 'third']],
    ['?onConflict=replace', { status: 200, created: 2, replaced: 2 }, ['new', 'other', 'fourth']],
    ['?partial=true', { status: 200, created: 2, rejected: 2 }, ['new', 'old', 'third']],
    ['?partial=true&dryRun=true', { status: 200, dryRun: true, created: 2, rejected: 2 }, ['old']],
    ['?dryRun=true', { status: 200, dryRun: true, created: 2, rejected: 2 }, ['old']],
    ['?dryRun=true&onConflict=replace', { status: 200, dryRun: true, created: 2, replaced: 2 }, ['old']],
  ])('an import with %p of plants whose ids are taken', async (query, outcome, names) => {
    await app.store.plants.create({ id: 2n, name: 'old' });
    expect(await importFile(query, csv, mixed)).toMatchObject(outcome);
    expect(await namesIn()).toEqual(names);
    expect(await app.store.events.head()).toBe(
      BigInt(names.length + ('replaced' in outcome && !query.includes('dry') ? 2 : 0)),
    );
  });

  test('without partial, one invalid row of many is named and nothing is imported', async () => {
    expect(await importFile('', ndjson, '{"id":1,"name":"n"}\n\n{"id":2}\n')).toEqual({
      status: 400,
      error: 40001,
      message: expect.stringMatching(
        /^1 row rejected, so nothing was imported; dryRun=true lists all\. Line 3: \/name /,
      ),
    });
    expect(await namesIn()).toEqual([]);
  });

  test('with partial, the rejected rows are listed with their lines and reasons, those with line breaks too', async () => {
    const body = Buffer.concat([
      Buffer.from('id,name,tag\n1,"a\nb",t\n2,"c\r\nd"\n2.0,n,t\n3,x,y,z\n5,n,t\n'),
      Buffer.from('4,Le\xf3n,t\n', 'latin1'),
    ]);
    const { rejectedRows, ...counts } = await importFile('?partial=true', csv, body);
    expect(counts).toEqual({ status: 200, ...nothing, created: 2, rejected: 4, ignored: [] });
    expect(rejectedRows).toEqual([
      { line: 4, lines: 2, message: 'The row has 2 fields; the header has 3.' },
      { line: 6, lines: 1, message: expect.stringMatching(/^\/id must be an integer/) },
      { line: 7, lines: 1, message: 'The row has 4 fields; the header has 3.' },
      { line: 9, lines: 1, message: expect.stringMatching(/^The row is not valid UTF-8; save the file in UTF-8/) },
    ]);
  });

  test.each<[string, string, Body, RegExp]>([
    ['UTF-16', csv, Buffer.from('\uFEFFid;name\r\n1;n\r\n', 'utf16le'), /is in UTF-16; save it in UTF-8/],
    ['another encoding in its header', csv, Buffer.from('id,name,caf\xe9\n', 'latin1'), /not valid UTF-8/],
    ['a column twice', csv, 'id,name,ID\n1,n,2\n', /has the column id twice/],
    ['no known column', csv, 'a,b\n1,2\n', /has no column id/],
    ['a quote that is not closed', csv, 'id,name\n1,"n\n2,m\n', /not valid CSV from line 2 on/],
    ['a JSON array', ndjson, '[{"id":1,"name":"n"}]', /is a JSON array/],
  ])('a file with %s is refused with 400 (40000), and nothing is imported', async (_what, type, body, message) => {
    for (const query of ['', '?partial=true', '?dryRun=true'])
      expect(await importFile(query, type, body ?? '')).toMatchObject({
        status: 400,
        error: 40000,
        message: expect.stringMatching(message),
      });
    expect(await namesIn()).toEqual([]);
  });

  test.each([
    ['a member twice', '{"id":1,"name":"n","id":2}', 'The JSON text has a duplicate name in an object.'],
    ['an id that is not an integer', '{"id":1.5,"name":"n"}', '/id must be an integer'],
    ['U+0000', '{"id":1,"name":"a\\u0000"}', '/name must be a string'],
    ['a NUL byte', '{"id":1,"name":"a\0"}', 'The JSON text is invalid.'],
    ['one row of 1 MiB', `{"id":1,"name":"${'n'.repeat(1024 * 1024)}"}`, 'The line is longer than 65536 bytes.'],
  ])('a row with %s is rejected', async (_what, body, message) => {
    const { rejectedRows } = await importFile('?partial=true', ndjson, body);
    expect(rejectedRows).toEqual([{ line: 1, lines: 1, message: expect.stringContaining(message) }]);
  });

  test('a file of the most rows is imported, and one more is refused', async () => {
    expect(await importFile('', csv, `id,name,tag\n${rowsOf(importRowsMax)}`)).toMatchObject({
      created: importRowsMax,
    });
    expect(await importFile('', csv, `id,name,tag\n${rowsOf(importRowsMax + 1)}`)).toMatchObject({
      status: 413,
      error: 41300,
    });
    expect(await app.store.plants.count()).toBe(importRowsMax);
    expect(await app.store.events.head()).toBe(BigInt(importRowsMax));
  });

  test('the response lists the first rejected rows, and counts all', async () => {
    const { rejected, rejectedRows } = await importFile(
      '?partial=true',
      csv,
      `id,name,tag\n${'x,n,t\n'.repeat(rejectedRowsMax + 1)}`,
    );
    expect([rejected, rejectedRows.length]).toEqual([rejectedRowsMax + 1, rejectedRowsMax]);
  });

  /** A body of this many bytes, in pieces that arrive one by one. */
  const bodyOf = (bytes: number) => {
    let left = bytes;
    return new ReadableStream({
      pull: (controller) => {
        const piece = Math.min(left, 1024 * 1024);
        left -= piece;
        if (piece > 0) controller.enqueue(new Uint8Array(piece).fill(0x0a));
        else controller.close();
      },
    });
  };

  test('the bytes of a body without a length are counted: so many are accepted, and one more is refused', async () => {
    expect(await importFile('', ndjson, bodyOf(importBytesMax))).toMatchObject({ status: 200, ...nothing });
    expect(await importFile('', ndjson, bodyOf(importBytesMax + 1))).toMatchObject({ status: 413, error: 41300 });
  });

  test('a declared length beyond the limit is refused before the body is read', async () => {
    const response = await app.send('POST', '/import', {
      headers: { 'content-type': ndjson, 'content-length': `${importBytesMax + 1}` },
      body: 'x',
    });
    expect(response.status).toBe(413);
  });

  test('so many imports may be in progress, another one gets 503, and a slow one keeps no other write waiting', async () => {
    const controllers: ReadableStreamDefaultController[] = [];
    const slow = Array.from({ length: importsMax }, (_, index) =>
      send(
        '',
        ndjson,
        new ReadableStream({
          start: (controller) => {
            controllers.push(controller);
            controller.enqueue(Buffer.from(`{"id":${index},"name":"slow"}\n`));
          },
        }),
      ),
    );
    await until(async () => (await send('', ndjson, '{"id":100,"name":"n"}')).status === 503);
    const refused = await send('', ndjson, '{"id":100,"name":"n"}');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await app.store.plants.create({ id: 200n, name: 'created' })).toMatchObject({ id: 200n });
    for (const controller of controllers) controller.close();
    for (const response of await Promise.all(slow)) expect(await jsonOf(response)).toMatchObject({ created: 1 });
    expect(await importFile('', ndjson, '{"id":101,"name":"n"}')).toMatchObject({ created: 1 });
  });

  test('a client that breaks off leaves nothing behind', async () => {
    using folder = temporaryFolder();
    app = await createTestApp({ store: await openTestStore(), spoolFolder: folder.path });
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(`id,name,tag\n${rowsOf(50_000)}`)),
      pull: (controller) => controller.error(new Error('The connection was closed.')),
    });
    expect(await importFile('', csv, broken)).toMatchObject({ status: 400, error: 40000 });
    expect(readdirSync(folder.path)).toEqual([]);
    expect(await app.store.plants.count()).toBe(0);
  });

  test('a temporary file that cannot be written is 503', async () => {
    app = await createTestApp({ store: await openTestStore(), spoolFolder: '/absent' });
    expect(await importFile('', csv, 'id,name\n1,n\n')).toMatchObject({ status: 503, error: 50300 });
  });
});

describe('the order of checks', () => {
  test.each([
    ['a token without the scope', { contentType: 'text/plain', query: '?x=1' }, 403],
    ['an unknown parameter', { contentType: 'text/plain', query: '?x=1' }, 400],
    ['another media type', { contentType: 'application/json', query: '' }, 415],
    ['another charset', { contentType: 'text/csv; charset=latin1', query: '' }, 415],
  ])('%s', async (what, { contentType, query }, status) => {
    const app = await createTestApp();
    const authorization = what.includes('scope') ? `Bearer ${await readerOf(app)}` : undefined;
    const response = await app.send('POST', `/import${query}`, {
      ...(authorization !== undefined && { authorization }),
      headers: { 'content-type': contentType },
      body: 'id,name\n',
    });
    expect(response.status).toBe(status);
  });
});

const readerOf = async ({ store }: TestApp): Promise<string> => giveToken(store, { scopes: ['plants:read'] });
