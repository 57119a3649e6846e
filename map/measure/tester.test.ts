/** The evidence about a tester: what it sends to a right server, and what that server refuses. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askTest, type Test, type TestAnswer, type TestCheck } from './abilities/test.ts';
import { openSession } from './session.ts';

const document = { openapi: '3.1.1', paths: { '/plants/{id}': { get: {} } } };

const right: TestCheck['right'] = ({ target }) => new Response(null, { status: target === '/plants/1' ? 204 : 400 });

const sends: TestCheck['sends'] = [
  { check: 'the server', isLocated: true, expected: '/garden', request: ({ target }) => target.startsWith('/garden') },
];

/** Asks a tester that sends these requests. */
const ask = async (targets: readonly string[], answer: TestAnswer) => {
  const folder = mkdtempSync(join(tmpdir(), 'map-tester-'));
  const installation = {
    version: '1.0.0',
    usage: 'tester openapi.yaml',
    folder,
    program: (name: string) => [name],
    shown: (name: string) => name,
    import: (name: string) => import(name),
  };
  const tester: Test = async (_, url) => {
    for (const target of targets) await fetch(`${url}${target}`);
    return answer;
  };
  using session = await openSession(installation, { yaml: '', document });
  try {
    return await askTest(session, tester, { right, sends });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const lineOf = async (...targets: string[]) => (await ask(targets, { hasPassed: false, line: 'failed' }))[0]?.line;

test('the last request that a right server refuses is evidence, if it is one of the document', async () => {
  expect(await lineOf('/plants/1', '/plants/few?leaves=5', '/swagger.json')).toBe(
    'failed; the server answers 400 to GET /plants/few?leaves=5',
  );
  expect(await lineOf('/plants/1', '/swagger.json')).toBe('failed');
});

test('the refused requests of a tester that sends many are no evidence', async () => {
  expect(await lineOf(...Array.from({ length: 9 }, () => '/plants/few'))).toContain('400');
  expect(await lineOf(...Array.from({ length: 10 }, () => '/plants/few'))).toBe('failed');
});

test('a tester that is told the URL of the server is not asked for the server of the document', async () => {
  const checksOf = async (answer: TestAnswer) => (await ask(['/plants/1'], answer)).map(({ check }) => check);
  expect(await checksOf({ hasPassed: true })).toEqual(['a server that is right', 'the server']);
  expect(await checksOf({ hasPassed: true, isToldServer: true })).toEqual(['a server that is right']);
});
