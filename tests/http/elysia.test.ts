/**
 * What Elysia, its bearer plugin and Eden do that their documentation does not lead one to expect. docs/elysia.md lists it. A test fails
 * when a later version does something else: then correct the page, and remove our code if it is not needed any more.
 */
import { describe, expect, test } from 'bun:test';
import { bearer } from '@elysiajs/bearer';
import { treaty } from '@elysiajs/eden';
import { type AnyElysia, Elysia, type TSchema, t } from 'elysia';
import { dependencies, devDependencies } from '../../package.json';
import { read } from '../support/project/imports.ts';

const surprises: string[] = [];

/** A test that has a row in docs/elysia.md. */
const surprise = (name: string, run: () => Promise<void>): void => {
  surprises.push(name);
  test(name, run);
};

const request = (path: string, init?: RequestInit) => new Request(`http://localhost${path}`, init);
const post = (body: string, type = 'application/json') =>
  request('/', { method: 'POST', body, headers: { 'content-type': type } });
const statusOf = async (app: AnyElysia, asked: Request) => (await app.handle(asked)).status;
const textOf = async (app: AnyElysia, asked: Request) => (await app.handle(asked)).text();
const jsonOf = async (app: AnyElysia, asked: Request) => JSON.parse(await textOf(app, asked));

/** Responds with the body that its handler gets. */
const echo = (body?: TSchema, hook: object = {}) =>
  new Elysia().post('/', ({ body }) => ({ body }), { ...(body && { body }), ...hook });
const fail = (message: string) => () => {
  throw new Error(message);
};

describe('routes', () => {
  surprise('a method that a path does not support is 404, without Allow', async () => {
    const response = await new Elysia().get('/', () => 'a').handle(request('/', { method: 'PUT' }));
    expect([response.status, response.headers.get('allow')]).toEqual([404, null]);
  });

  surprise('a trailing slash makes no difference, unless strictPath is true', async () => {
    const app = (strictPath: boolean) => new Elysia({ strictPath }).get('/a', () => 'a');
    expect([await statusOf(app(false), request('/a/')), await statusOf(app(true), request('/a/'))]).toEqual([200, 404]);
  });

  surprise('the path of a URL with a short host is cut, unless standardHostname is false', async () => {
    const app = (standardHostname: boolean) =>
      new Elysia({ handler: { standardHostname } }).get('/plants', () => 'plants').get('/*', () => 'other');
    const asked = new Request('http://x/foo/plants');
    expect([await textOf(app(true), asked), await textOf(app(false), asked)]).toEqual(['plants', 'other']);
  });

  surprise('HEAD runs GET and reads its whole body to count it', async () => {
    let read = 0;
    const body = () =>
      new ReadableStream({
        type: 'bytes',
        pull: (stream) => void (read++ < 3 ? stream.enqueue(new Uint8Array(5)) : stream.close()),
      });
    const response = await new Elysia().get('/', () => new Response(body())).handle(request('/', { method: 'HEAD' }));
    expect([read, response.headers.get('content-length')]).toEqual([4, '15']);
  });
});

describe('hooks', () => {
  surprise('a hook applies to the routes after it', async () => {
    const app = new Elysia()
      .get('/early', () => 'early')
      .onTransform(fail('late'))
      .get('/late', () => 'late');
    expect([await statusOf(app, request('/early')), await statusOf(app, request('/late'))]).toEqual([200, 500]);
  });

  surprise('if there was a hook before them, a later hook applies to earlier routes too', async () => {
    const app = new Elysia()
      .onTransform(() => {})
      .get('/early', () => 'early')
      .onTransform(fail('late'));
    expect(await statusOf(app, request('/early'))).toBe(500);
  });

  surprise('the hooks of an app apply to an app that it uses after them', async () => {
    const part = () => new Elysia().get('/', () => 'part');
    expect(await statusOf(new Elysia().onTransform(fail('before')).use(part()), request('/'))).toBe(500);
    expect(await statusOf(new Elysia().use(part()).onTransform(fail('after')), request('/'))).toBe(200);
  });

  surprise('of two plugins with the same name only the first is used', async () => {
    const plugin = (n: number) => new Elysia({ name: 'plugin' }).derive({ as: 'global' }, () => ({ n }));
    expect(
      await textOf(
        new Elysia()
          .use(plugin(1))
          .use(plugin(2))
          .get('/', ({ n }) => `${n}`),
        request('/'),
      ),
    ).toBe('1');
  });
});

describe('handlers', () => {
  surprise(
    'a promise of a handler is awaited only if the text of the handler looks asynchronous, so onError misses its error',
    async () => {
      const app = (handler: string) =>
        new Elysia()
          .onError(() => new Response('handled'))
          .get(
            '/',
            new Function('fail', `return ${handler}`)(async () => fail('missed')()),
          );
      expect(await textOf(app('() => fail()'), request('/'))).toBe('handled');
      await expect(textOf(app('() =>\n        fail()'), request('/'))).rejects.toThrow('missed');
      await expect(textOf(app('() => { const failed = fail(); return failed; }'), request('/'))).rejects.toThrow(
        'missed',
      );
    },
  );
});

describe('bodies', () => {
  surprise(
    'a handler that passes its context on has its body read, since Elysia looks for names in its source',
    async () => {
      const helper = (context: object) => `${'request' in context}`;
      const readsBody = async (handler: (context: { request: Request }) => string) => {
        const asked = post('{}');
        await new Elysia().post('/', handler).handle(asked);
        return asked.bodyUsed;
      };
      expect([await readsBody((context) => helper(context)), await readsBody(({ request }) => request.url)]).toEqual([
        true,
        false,
      ]);
    },
  );

  surprise(
    'the last name that a handler destructures is undefined, if spaces follow, as where Node.js has removed a type',
    async () => {
      const read = (handler: string) =>
        jsonOf(new Elysia().get('/', new Function(`return ${handler}`)()), request('/?a=1'));
      expect(await read('({ query }) => query ?? null')).toEqual({ a: '1' });
      expect(await read('({ query }   ) => query ?? {}')).toEqual({});
    },
  );

  const readings: [name: string, schema: TSchema | undefined, asked: Request, body: unknown][] = [
    [
      'an integer beyond 2^53 is rounded',
      t.Object({ id: t.Number() }),
      post('{"id":9007199254740993}'),
      { id: 9007199254740992 },
    ],
    ['a string of digits is an integer', t.Object({ id: t.Integer() }), post('{"id":"12"}'), { id: 12 }],
    ['the last of two members with one name counts', t.Object({ id: t.Number() }), post('{"id":1,"id":2}'), { id: 2 }],
    ['null is an empty object', t.Object({}), post('null'), {}],
    ['an array is an empty object', t.Object({}), post('[]'), {}],
    ['application/junk is JSON', t.Object({ id: t.Number() }), post('{"id":1}', 'application/junk'), { id: 1 }],
    ['application/merge-patch+json is not', undefined, post('{"id":1}', 'application/merge-patch+json'), undefined],
    [
      'members that the schema does not have are removed',
      t.Object({ id: t.Number() }),
      post('{"id":1,"x":2}'),
      { id: 1 },
    ],
  ];
  for (const [name, schema, asked, body] of readings)
    surprise(name, async () => {
      expect(await jsonOf(echo(schema), asked)).toEqual(body === undefined ? {} : { body });
    });

  surprise('with normalize: false, objects permit no other members, unless additionalProperties is true', async () => {
    const app = (options: object) =>
      new Elysia({ normalize: false }).post('/', () => 'valid', { body: t.Object({ id: t.Number() }, options) });
    const asked = () => post('{"id":1,"x":2}');
    expect([await statusOf(app({}), asked()), await statusOf(app({ additionalProperties: true }), asked())]).toEqual([
      422, 200,
    ]);
  });

  surprise("with parse: 'none' the body is neither parsed nor checked", async () => {
    expect(await jsonOf(echo(t.Object({ id: t.Number() }), { parse: 'none' }), post('{"id":"x"}'))).toEqual({});
  });

  surprise('if a parse function returns nothing, the body is parsed as without it', async () => {
    expect(await jsonOf(echo(undefined, { parse: () => undefined }), post('{"id":1}'))).toEqual({ body: { id: 1 } });
  });

  surprise(
    'the check of a body that a parse function returns reads request.body, for which Bun makes a stream',
    async () => {
      let reads = 0;
      const asked = new Proxy(post('{}'), {
        get: (target, name) => {
          if (name === 'body') reads += 1;
          return Reflect.get(target, name, target);
        },
      });
      expect(await statusOf(echo(t.Object({}), { parse: () => ({}) }), asked)).toBe(200);
      expect(reads).toBe(1);
    },
  );
});

describe('validation', () => {
  surprise('the body is parsed before transform, and checked after it', async () => {
    const steps: string[] = [];
    const app = echo(t.Object({}), {
      parse: () => ({ parsed: steps.push('parse') }),
      transform: () => void steps.push('transform'),
      beforeHandle: () => void steps.push('beforeHandle'),
    });
    await app.handle(post('{}'));
    expect(steps).toEqual(['parse', 'transform', 'beforeHandle']);
  });

  surprise('headers are checked before the path, and the path before the query', async () => {
    const wrong = (error: string) => t.Number({ error });
    const first = (parts: object) =>
      textOf(
        new Elysia().get('/:id', () => 'valid', parts),
        request('/x?q=x', { headers: { h: 'x' } }),
      );
    const headers = t.Object({ h: wrong('headers') });
    const params = t.Object({ id: wrong('params') });
    const query = t.Object({ q: wrong('query') });
    expect([await first({ headers, params, query }), await first({ params, query })]).toEqual(['headers', 'params']);
  });

  surprise(
    'a BigInt in an invalid value makes the check throw a TypeError, unless the schema of the member has an error',
    async () => {
      const check = (options: object) =>
        textOf(
          new Elysia()
            .onError(({ error }) => (error as Error).name)
            .post('/', () => 'valid', {
              parse: () => ({ id: 1n }),
              body: t.Object({ id: t.String(options) }),
            }),
          post('{}'),
        );
      expect([await check({}), await check({ error: 'wrong' })]).toEqual(['TypeError', 'Error']);
    },
  );

  surprise('an invalid request is 422, and the response repeats it', async () => {
    const response = await echo(t.Object({ id: t.Number() })).handle(post('{"id":"secret"}'));
    expect([response.status, (await response.text()).includes('secret')]).toEqual([422, true]);
  });

  surprise('of a repeated query parameter the last value counts, and bytes that are not UTF-8 are text', async () => {
    const app = new Elysia().get('/', ({ query }) => query);
    expect(await jsonOf(app, request('/?a=1&a=2'))).toEqual({ a: '2' });
    expect(await jsonOf(app, request('/?a=%ff'))).toEqual({ a: '%ff' });
  });
});

describe('errors', () => {
  surprise('the response to an error is its message', async () => {
    expect(await textOf(new Elysia().get('/', fail('secret')), request('/'))).toBe('secret');
  });

  surprise('if onError throws, the app rejects', async () => {
    const app = new Elysia().onError(fail('again')).get('/', fail('first'));
    await expect(app.handle(request('/'))).rejects.toThrow('again');
  });
});

describe('bearer', () => {
  const ask = (path: string, authorization?: string) =>
    textOf(
      new Elysia().use(bearer()).get('/', ({ bearer }) => `${bearer}`),
      request(path, authorization === undefined ? {} : { headers: { authorization } }),
    );

  surprise('the scheme is compared in one case, and needs no space', async () => {
    expect([await ask('/', 'bearer a'), await ask('/', 'BearerXa')]).toEqual(['undefined', 'a']);
  });

  surprise('a token in the query is accepted', async () => {
    expect(await ask('/?access_token=a')).toBe('a');
  });
});

describe('eden', () => {
  const app = new Elysia().get(
    '/',
    () =>
      new Response('{"id":9007199254740993,"at":"2026-05-01T09:30:00.000Z"}', {
        headers: { 'content-type': 'application/json' },
      }),
  );

  surprise('text that looks like a time is a Date, unless parseDate is false', async () => {
    const read = async (parseDate: boolean) =>
      (await treaty(app, { parseDate }).get()).data as unknown as { at: unknown };
    expect((await read(true)).at).toBeInstanceOf(Date);
    expect((await read(false)).at).toBe('2026-05-01T09:30:00.000Z');
  });

  surprise('an integer in a response beyond 2^53 is rounded', async () => {
    expect((await treaty(app).get()).data as unknown).toMatchObject({ id: 9007199254740992 });
  });

  surprise('a BigInt in a body is a TypeError, and nothing is sent', async () => {
    let requests = 0;
    const counting = new Elysia().post('/', () => (requests += 1), { body: t.Object({ id: t.BigInt() }) });
    await expect(treaty(counting).post({ id: 1n })).rejects.toThrow(TypeError);
    expect(requests).toBe(0);
  });
});

test('docs/elysia.md lists these surprises, and the versions that cause them', () => {
  const page = read('docs/elysia.md');
  const [, table = ''] = page.split('| surprise |');
  const rows = [...table.matchAll(/^\| ([^*\n]+?) \| .+ \|$/gm)].map(([, row = '']) => row);
  expect(rows.filter((row) => !/^-+$/.test(row))).toEqual(surprises);
  const versions = { ...dependencies, '@elysiajs/eden': devDependencies['@elysiajs/eden'] };
  for (const name of ['elysia', '@elysiajs/bearer', '@elysiajs/swagger', '@elysiajs/eden'] as const) {
    expect(page).toContain(`${name === 'elysia' ? 'Elysia' : name} ${versions[name]}`);
  }
  const installed = `elysia@${versions.elysia} @elysiajs/eden@${versions['@elysiajs/eden']}`;
  expect(read('examples/eden/README.md')).toContain(installed);
});
