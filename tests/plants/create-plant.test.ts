import { beforeEach, describe, expect, test } from 'bun:test';
import { asJson, create, createTestApp, errorOf, type TestApp } from '../support/app/app.ts';
import { onBothEngines } from '../support/store/engines.ts';

let app: TestApp;
onBothEngines(() => {
  beforeEach(async () => {
    app = await createTestApp();
  });

  /** The body of `GET /plants/{id}` as text, since JSON.parse would lose digits of large ids. */
  const read = async (id: string): Promise<string> => {
    const response = await app.send('GET', `/plants/${id}`);
    expect(response.status).toBe(200);
    return response.text();
  };

  describe('the response to a creation', () => {
    test('the response to a creation matches the Plant of the specification', async () => {
      const response = await create(app, '{"id":1,"name":"Monstera","tag":"tropical"}');
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.text()).toBe('{"name":"Monstera","tag":"tropical"}');
    });

    test('the response to a creation without a tag has no tag', async () => {
      expect(await (await create(app, '{"id":1,"name":"Monstera"}')).text()).toBe('{"name":"Monstera"}');
    });

    test('the response to a creation has the path and the version of the plant, and the headers of every response', async () => {
      const created = await create(app, '{"id":-7,"name":"Monstera"}');
      const position = app.store.position ? ['x-log-position'] : [];
      expect([...created.headers.keys()].sort()).toEqual(
        ['content-type', 'etag', 'location', 'x-request-id', ...position].sort(),
      );
      expect(created.headers.get('location')).toBe('plants/-7');
      const found = await app.send('GET', '/plants/-7');
      expect(created.headers.get('etag')).toMatch(/^"[\w-]+"$/);
      expect(found.headers.get('etag')).toBe(created.headers.get('etag'));
    });
  });

  describe('an id is an exact int64', () => {
    test.each([
      ['1', '1'],
      ['0', '0'],
      ['-1', '-1'],
      ['9223372036854775807', '9223372036854775807'],
      ['-9223372036854775808', '-9223372036854775808'],
      ['9007199254740993', '9007199254740993'],
      ['-9007199254740993', '-9007199254740993'],
      ['1.0', '1'],
      ['1e3', '1000'],
      ['-0', '0'],
      ['9.223372036854775807e18', '9223372036854775807'],
    ])('the id %s is stored and returned exactly', async (numeral, id) => {
      const response = await create(app, `{"id":${numeral},"name":"n"}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('location')).toBe(`plants/${id}`);
      expect(await read(id)).toStartWith(`{"id":${id},"name":"n","createdAt":"`);
    });

    test.each([
      '"1"',
      '1.5',
      '9223372036854775808',
      '-9223372036854775809',
      '1e400',
      '1e-400',
      'true',
      'null',
      '[]',
      '{}',
      '""',
    ])('the id %s in a body is refused', async (numeral) => {
      const response = await create(app, `{"id":${numeral},"name":"n"}`);
      expect(await errorOf(response)).toBe(40001);
    });
  });

  describe('strings are stored exactly, up to their limit in code points', () => {
    test.each([
      ['an empty name', '', undefined],
      ['an empty tag', 'n', ''],
      ['a name of 500 characters', 'n'.repeat(500), undefined],
      ['a name of 500 characters outside the BMP', '🌱'.repeat(500), undefined],
      ['a tag of 100 characters', 'n', 't'.repeat(100)],
      ['a tag of 100 characters outside the BMP', 'n', '🌵'.repeat(100)],
      ['special characters', '\u2028\u0001"\\/\uFEFFe\u0301 𝒳', "'; DROP TABLE plants; --"],
    ])('a plant with %s is stored exactly', async (_what, name, tag) => {
      const response = await create(app, JSON.stringify({ id: 1, name, tag }));
      expect(await response.json()).toEqual({ name, ...(tag !== undefined && { tag }) });
      expect(JSON.parse(await read('1'))).toMatchObject({ id: 1, name, ...(tag !== undefined && { tag }) });
    });

    test.each([
      ['a name of 501 characters', `{"id":1,"name":"${'n'.repeat(501)}"}`, '/name'],
      ['a name of 501 characters outside the BMP', `{"id":1,"name":"${'🌱'.repeat(501)}"}`, '/name'],
      ['a tag of 101 characters', `{"id":1,"name":"n","tag":"${'t'.repeat(101)}"}`, '/tag'],
      ['U+0000 in the name', String.raw`{"id":1,"name":"a\u0000b"}`, '/name'],
      ['U+0000 in the tag', String.raw`{"id":1,"name":"n","tag":"\u0000"}`, '/tag'],
      ['a lone high surrogate', String.raw`{"id":1,"name":"\ud800"}`, '/name'],
      ['a lone low surrogate', String.raw`{"id":1,"name":"n","tag":"\udc00x"}`, '/tag'],
      ['surrogates in the wrong order', String.raw`{"id":1,"name":"\udc00\ud800"}`, '/name'],
      ['a name that is null', '{"id":1,"name":null}', '/name'],
      ['a tag that is null', '{"id":1,"name":"n","tag":null}', '/tag'],
      ['a name that is a number', '{"id":1,"name":1}', '/name'],
      ['a name that is an array', '{"id":1,"name":["n"]}', '/name'],
      ['no name', '{"id":1}', '/name'],
      ['no id', '{"name":"n"}', '/id'],
      ['a body that is null', 'null', 'object'],
      ['a body that is an array', '[{"id":1,"name":"n"}]', 'object'],
      ['a body that is a number', '5', 'object'],
      ['a body that is a string', '"n"', 'object'],
      ['a large id and an invalid name', '{"id":9223372036854775807,"name":null}', '/name'],
    ])('a creation with %s is refused, and the response names what is invalid', async (_what, body, named) => {
      const response = await create(app, body);
      expect(await response.clone().text()).toContain(named);
      expect(await errorOf(response)).toBe(40001);
      expect((await app.send('GET', '/plants/1')).status).toBe(404);
    });
  });

  describe('unknown members are ignored', () => {
    test.each([
      '{"id":1,"name":"n","color":"green"}',
      '{"id":1,"name":"n","createdAt":"x","updatedAt":1}',
      '{"id":1,"name":"n","__proto__":{"tag":"t"}}',
      '{"id":1,"name":"n","constructor":{"prototype":{"tag":"t"}}}',
      '{"id":1,"name":"n","Tag":"t","TAG":1.5,"x":[[[{"y":null}]]]}',
    ])('the unknown members of %s are neither stored nor returned', async (body) => {
      const response = await create(app, body);
      expect(await response.text()).toBe('{"name":"n"}');
      expect(Object.keys(JSON.parse(await read('1')))).toEqual(['id', 'name', 'createdAt', 'updatedAt']);
    });

    test('the member __proto__ does not provide required members', async () => {
      expect(await errorOf(await create(app, '{"id":1,"__proto__":{"name":"x"}}'))).toBe(40001);
      expect(await errorOf(await create(app, '{"__proto__":{"id":1,"name":"x"}}'))).toBe(40001);
    });
  });

  describe('the id is the idempotency key', () => {
    test('a repeated creation gets the same response and changes nothing', async () => {
      const first = await create(app, '{"id":1,"name":"n","tag":"t"}');
      const before = await read('1');
      const second = await create(app, '{"tag":"t","name":"n","id":1.0,"more":true}');
      expect(second.status).toBe(200);
      expect(await second.text()).toBe(await first.text());
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
      expect(await read('1')).toBe(before);
    });

    test.each([
      '{"id":1,"name":"m","tag":"t"}',
      '{"id":1,"name":"n","tag":"u"}',
      '{"id":1,"name":"n"}',
      '{"id":1,"name":"n","tag":""}',
    ])('a different plant with an existing id is refused: %s', async (body) => {
      await create(app, '{"id":1,"name":"n","tag":"t"}');
      const before = await read('1');
      expect(await errorOf(await create(app, body))).toBe(40900);
      expect(await read('1')).toBe(before);
    });

    test('exactly one of 20 concurrent creations with the same id and different plants succeeds', async () => {
      const bodies = Array.from({ length: 20 }, (_, n) => `{"id":1,"name":"n${n}"}`);
      const statuses = (await Promise.all(bodies.map((body) => create(app, body)))).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(19);
    });
  });

  describe('GET /plants/{id}', () => {
    test('GET /plants/{id} returns the complete record', async () => {
      const before = new Date().toISOString();
      await create(app, '{"id":1,"name":"n","tag":"t"}');
      const { createdAt, updatedAt, ...rest } = JSON.parse(await read('1'));
      expect(rest).toEqual({ id: 1, name: 'n', tag: 't' });
      expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(createdAt >= before).toBe(true);
      expect(updatedAt).toBe(createdAt);
    });

    test.each(['1', '-9223372036854775808'])('GET of the nonexistent plant %s gets 404', async (id) => {
      expect(await errorOf(await app.send('GET', `/plants/${id}`))).toBe(40400);
    });

    test.each([
      '01',
      '+1',
      '-0',
      '1.0',
      '1e3',
      'abc',
      '%20',
      '9223372036854775808',
      '-9223372036854775809',
      '%zz',
      '1%00',
      '%EF%BC%91',
    ])('the id %s in a path is refused', async (id) => {
      expect(await errorOf(await app.send('GET', `/plants/${id}`))).toBe(40003);
    });
  });

  test('a creation accepts every equivalent form of the media type', async () => {
    const spellings = [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; profile=x',
      'application/json ;; profile="a, \\"b\\"; charset=utf-16" ;charset=UTF-8',
      'application/json;',
      'application/json \t;\t; ',
      ...['unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'utf-8', 'utf8', 'x-unicode20utf8'].flatMap(
        (label) => [
          `application/json; charset=${label}`,
          `application/json;CharSet="${label.toUpperCase()}"`,
          `application/json; charset="\t ${label} " ; a=b`,
          `application/json; charset="\\${[...label].join('\\')}"`,
        ],
      ),
    ];
    for (const [id, contentType] of spellings.entries()) {
      const response = await app.send('POST', '/plants', {
        headers: { ...asJson, 'content-type': contentType },
        body: `{"id":${id},"name":"n"}`,
      });
      expect(response.status).toBe(200);
    }
  });
});
