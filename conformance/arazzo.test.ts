/** Redocly Respect runs the workflows of `arazzo.yaml` against the server, and validates each response against the document. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { parse } from 'yaml';
import { operations } from '../tests/support/document/document.ts';
import { engines, type Service, startService } from './service.ts';

const arazzo = join(import.meta.dir, '../openapi/arazzo.yaml');

const respect = async ({ url }: Service, token: string): Promise<{ exitCode: number; output: string }> => {
  const redocly = join(import.meta.dir, 'node_modules/.bin/redocly');
  const inputs = ['--input', `token=${token}`, '--input', 'id=7'];
  const child = Bun.spawn([redocly, 'respect', arazzo, '--server', `plants=${url}`, ...inputs], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return { exitCode, output };
};

test.each(engines)('every workflow succeeds on $name, and fails with a wrong token', async (engine) => {
  await using service = await startService(engine);
  const { exitCode, output } = await respect(service, service.token);
  expect(output).toMatch(/Workflows: 6 passed, 6 total/);
  expect(exitCode).toBe(0);
  expect((await respect(service, 'wrong')).exitCode).not.toBe(0);
});

test('the workflows call every operation', async () => {
  const { workflows } = parse(await Bun.file(arazzo).text());
  const called = workflows.flatMap(({ steps }: { steps: { operationId: string }[] }) =>
    steps.map(({ operationId }) => operationId),
  );
  expect([...new Set(called)].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});
