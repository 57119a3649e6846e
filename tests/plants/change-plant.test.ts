import { beforeEach, describe, expect, test } from 'bun:test';
import { asJson, create, createTestApp, errorOf, type TestApp } from '../support/app/app.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { nextMillisecond } from '../support/until.ts';

let app: TestApp;
let etag: string;
onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
    etag = (await create(app, '{"id":1,"name":"n","tag":"t"}')).headers.get('etag') ?? '';
  });

  const asMergePatch = { 'content-type': 'application/merge-patch+json' };

  const patch = (body: string, headers: Record<string, string> = {}, id = '1'): Promise<Response> =>
    app.send('PATCH', `/plants/${id}`, { headers: { ...asMergePatch, ...headers }, body });
  const remove = (headers: Record<string, string> = {}, id = '1'): Promise<Response> =>
    app.send('DELETE', `/plants/${id}`, { headers });
  const get = (headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    app.send(method, '/plants/1', { headers });

  describe('PATCH', () => {
    test('a PATCH with the current record changes nothing, and its read-only members are ignored', async () => {
      const record = await (await get()).text();
      const later = JSON.stringify({ ...JSON.parse(record), updatedAt: '2999-01-01T00:00:00.000Z' });
      for (const body of [record, later]) {
        const response = await patch(body);
        expect([response.headers.get('etag'), await response.text()]).toEqual([etag, record]);
      }
    });

    test.each([
      ['{"name":"m"}', { name: 'm', tag: 't' }],
      ['{"tag":"u"}', { name: 'n', tag: 'u' }],
      ['{"tag":""}', { name: 'n', tag: '' }],
      ['{"tag":null}', { name: 'n' }],
      ['{"name":"","tag":null,"id":1}', { name: '' }],
      ['{"name":"m","color":null,"__proto__":{"tag":"u"},"createdAt":"x"}', { name: 'm', tag: 't' }],
    ])('a PATCH with `%s` changes only the members that it contains', async (body, expected) => {
      const before = JSON.parse(await (await get()).text());
      await nextMillisecond();
      const response = await patch(body);
      const after = JSON.parse(await response.clone().text());
      expect(response.status).toBe(200);
      expect(after).toEqual({ id: 1, ...expected, createdAt: before.createdAt, updatedAt: after.updatedAt });
      expect(after.updatedAt > before.updatedAt).toBe(true);
      expect(response.headers.get('etag')).not.toBe(etag);

      const found = await get();
      expect(found.headers.get('etag')).toBe(response.headers.get('etag'));
      expect(await found.text()).toBe(await response.text());
    });

    test.each(['{}', '{"id":1.0}', '{"name":"n"}', '{"name":"n","tag":"t"}', '{"color":"green"}'])(
      'a PATCH with `%s` changes nothing, not even the time of the last update',
      async (body) => {
        const before = await (await get()).text();
        await nextMillisecond();
        const response = await patch(body);
        expect(response.status).toBe(200);
        expect(response.headers.get('etag')).toBe(etag);
        expect(await response.text()).toBe(before);
      },
    );

    test('a PATCH that removes a missing tag changes nothing', async () => {
      await patch('{"tag":null}');
      const before = await (await get()).text();
      expect(await (await patch('{"tag":null}')).text()).toBe(before);
    });

    test('the media type of a PATCH may be application/json', async () => {
      expect((await patch('{"name":"m"}', asJson)).status).toBe(200);
    });

    test.each([
      ['{"name":null}', 40001],
      ['{"name":1}', 40001],
      ['{"name":"\\u0000"}', 40001],
      [`{"name":"${'n'.repeat(501)}"}`, 40001],
      [`{"tag":"${'t'.repeat(101)}"}`, 40001],
      ['{"tag":1}', 40001],
      ['{"id":2}', 40001],
      ['{"id":"1"}', 40001],
      ['{"id":null}', 40001],
      ['null', 40001],
      ['[]', 40001],
      ['"n"', 40001],
      ['[{"op":"replace","path":"/name","value":"m"}]', 40001],
      ['', 40000],
      ['{"name":"a","name":"b"}', 40000],
    ])('a PATCH with `%s` is refused and changes nothing', async (body, error) => {
      const before = await (await get()).text();
      expect(await errorOf(await patch(body))).toBe(error);
      expect(await (await get()).text()).toBe(before);
    });

    test('a PATCH whose id beyond 2^53 is only the same after rounding is refused, and neither plant changes', async () => {
      const [even, odd] = ['9007199254740992', '9007199254740993'] as const;
      for (const id of [even, odd]) await create(app, `{"id":${id},"name":"n"}`);
      const before = await Promise.all([even, odd].map(async (id) => (await app.send('GET', `/plants/${id}`)).text()));
      for (const [path, id] of [
        [odd, even],
        [even, odd],
      ] as const)
        expect(await errorOf(await patch(`{"id":${id},"name":"m"}`, {}, path))).toBe(40001);
      expect(await Promise.all([even, odd].map(async (id) => (await app.send('GET', `/plants/${id}`)).text()))).toEqual(
        before,
      );
      const changed = await patch(`{"id":${odd},"name":"m"}`, {}, odd);
      expect(await changed.text()).toStartWith(`{"id":${odd},"name":"m",`);
    });

    test('a PATCH with a JSON Patch, for an unknown plant or for an invalid id is refused', async () => {
      expect(await errorOf(await patch('[]', { 'content-type': 'application/json-patch+json' }))).toBe(41500);
      expect(await errorOf(await patch('{}', {}, '2'))).toBe(40400);
      expect(await errorOf(await patch('{}', {}, '01'))).toBe(40003);
    });
  });

  describe('DELETE', () => {
    test('the first DELETE gets 204 without a body, the second gets 404, and the id can be used again', async () => {
      const response = await remove();
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
      expect(await errorOf(await remove())).toBe(40400);
      expect((await get()).status).toBe(404);
      expect((await create(app, '{"id":1,"name":"another"}')).status).toBe(200);
      expect(await errorOf(await remove({}, '01'))).toBe(40003);
    });
  });

  describe('If-Match', () => {
    const matching: [string, () => string][] = [
      ['the version', () => etag],
      ['an asterisk', () => '*'],
      ['a list with the version', () => `"a", W/"b",${etag}`],
      ['a list with empty elements', () => `, ,${etag},`],
      ['a list with tabs', () => `"a"\t,\t${etag}`],
    ];
    const notMatching: [string, () => string][] = [
      ['another version', () => '"a"'],
      ['a list of other versions', () => '"a", "b"'],
      ['the version as a weak tag', () => `W/${etag}`],
      ['an empty tag', () => '""'],
    ];
    const malformed: [string, () => string][] = [
      ['no quotes', () => 'a'],
      ['only one quote', () => '"a'],
      ['an empty value', () => ''],
      ['only commas', () => ', ,'],
      ['an asterisk and a tag', () => '*, "a"'],
      ['tags without a comma between them', () => '"a" "b"'],
      ['a weak mark in lower case', () => 'w/"a"'],
      ['a space in a tag', () => '"a b"'],
      ['a form feed', () => '"a",\f"b"'],
    ];

    test.each(matching)('a change whose If-Match is %s is made', async (_what, header) => {
      expect((await patch('{"name":"n"}', { 'if-match': header() })).status).toBe(200);
      expect((await remove({ 'if-match': header() })).status).toBe(204);
    });

    test.each(notMatching)('a change whose If-Match is %s gets 412 and changes nothing', async (_what, header) => {
      const before = await get();
      for (const refused of [
        await patch('{"name":"m"}', { 'if-match': header() }),
        await remove({ 'if-match': header() }),
      ]) {
        // The client needs no other request to learn which version exists.
        expect(refused.headers.get('etag')).toBe(before.headers.get('etag'));
        expect(await errorOf(refused)).toBe(41200);
      }
      expect(await (await get()).text()).toBe(await before.text());
    });

    test.each(malformed)('a change whose If-Match has %s is refused', async (_what, header) => {
      expect(await errorOf(await patch('{"name":"m"}', { 'if-match': header() }))).toBe(40002);
      expect(await errorOf(await remove({ 'if-match': header() }))).toBe(40002);
    });

    test('a change of a plant that does not exist gets 404 and not 412, with any If-Match', async () => {
      expect(await errorOf(await remove({ 'if-match': '"a"' }, '2'))).toBe(40400);
      expect(await errorOf(await patch('{}', { 'if-match': '*' }, '2'))).toBe(40400);
    });

    test('a change with an earlier version fails, even if the plant was deleted and created again', async () => {
      const changed = (await patch('{"name":"m"}', { 'if-match': etag })).headers.get('etag') ?? '';
      expect(await errorOf(await patch('{"name":"o"}', { 'if-match': etag }))).toBe(41200);
      await remove({ 'if-match': changed });
      await nextMillisecond();
      await create(app, '{"id":1,"name":"m","tag":"t"}');
      expect(await errorOf(await remove({ 'if-match': changed }))).toBe(41200);
    });

    test('exactly one of two concurrent changes with the same version succeeds, a thousand times', async () => {
      /** Resolves to the version of the change that succeeded. Only the version that the plant has now lets the next one succeed. */
      const race = async (id: string, version: string, round: number): Promise<string> => {
        const responses = await Promise.all(
          ['a', 'b'].map((name) => patch(`{"name":"${name}${round}"}`, { 'if-match': version }, id)),
        );
        expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412]);
        return responses.find(({ status }) => status === 200)?.headers.get('etag') ?? '';
      };
      // Ten plants at a time, whose changes share commits.
      const ids = Array.from({ length: 10 }, (_, index) => `${index + 1}`);
      for (const id of ids.slice(1)) await create(app, `{"id":${id},"name":"n"}`);
      const readVersions = (): Promise<string[]> =>
        Promise.all(ids.map(async (id) => (await app.send('GET', `/plants/${id}`)).headers.get('etag') ?? ''));
      let versions = await readVersions();
      for (let round = 0; round < 100; round += 1)
        versions = await Promise.all(ids.map((id, index) => race(id, versions[index] ?? '', round)));
      expect(await readVersions()).toEqual(versions);
    });
  });

  describe('If-None-Match', () => {
    const known: [string, () => string][] = [
      ['the version', () => etag],
      ['the version as a weak tag', () => `W/${etag}`],
      ['a list with the version', () => `"a", ${etag}`],
      ['an asterisk', () => '*'],
    ];
    test.each(known)(
      'a read whose If-None-Match is %s gets 304 with the version and no body',
      async (_what, header) => {
        for (const method of ['GET', 'HEAD']) {
          const response = await get({ 'if-none-match': header() }, method);
          expect(response.status).toBe(304);
          expect(response.headers.get('etag')).toBe(etag);
          expect(await response.text()).toBe('');
        }
      },
    );

    test.each(['"a"', 'W/"a", "b"', '""'])('a read whose If-None-Match is %s gets 200', async (header) => {
      expect((await get({ 'if-none-match': header })).status).toBe(200);
    });

    test('a read with an invalid If-None-Match is refused, and a read of an unknown plant gets 404', async () => {
      expect(await errorOf(await get({ 'if-none-match': 'a' }))).toBe(40002);
      await remove();
      expect(await errorOf(await get({ 'if-none-match': '*' }))).toBe(40400);
      expect(await errorOf(await get({ 'if-none-match': 'a' }))).toBe(40002);
    });
  });
});
