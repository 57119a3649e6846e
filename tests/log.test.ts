/** The log as a process writes it. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';

/** What a program writes to stderr that has a log of this level as `log`. */
const textOf = async (level: string, program: string): Promise<string> => {
  const path = join(import.meta.dir, '../src/log.ts');
  const script = `import { createLog, logFailure } from ${JSON.stringify(path)}; const log = createLog('${level}'); ${program}`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'ignore', stderr: 'pipe' });
  return child.stderr.text();
};

const logOf = async (level: string, program: string): Promise<Record<string, unknown>[]> => {
  const lines = (await textOf(level, program)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
};

const request = "log.request({ requestId: 'r', method: 'GET', route: '/plants', status: 200, durationMs: 1 });";

test('the line of a request has the form of all others', async () => {
  const [line, other] = await logOf('info', `${request} log.info({ requestId: 'r' }, 'other');`);
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    requestId: 'r',
    method: 'GET',
    route: '/plants',
    status: 200,
    durationMs: 1,
    msg: 'request',
  });
  expect(other).toEqual({ level: 'info', time: expect.any(String), requestId: 'r', msg: 'other' });
});

test('the line of a request has its trace if there is one, and null for no route', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traced = `log.request({ requestId: 'r', traceId: '${traceId}', method: 'PUT', route: null, status: 404, durationMs: 0.5 });`;
  const [line, other] = await logOf('info', `${traced} ${request}`);
  expect(line).toMatchObject({ requestId: 'r', traceId, method: 'PUT', route: null, status: 404, durationMs: 0.5 });
  expect(other).not.toHaveProperty('traceId');
});

test('the line of a request has its sender if that is given', async () => {
  const call =
    "log.request({ requestId: 'r', method: 'GET', route: null, status: 401, durationMs: 1, sender: SENDER });";
  const lines = await logOf(
    'info',
    ["{ tokenId: 'tok_1', client: '::1' }", "{ client: '::1' }", '{}']
      .map((sender) => call.replace('SENDER', sender))
      .join(' '),
  );
  const base = { level: 'info', time: expect.anything(), requestId: 'r', method: 'GET', route: null, status: 401 };
  const rest = { durationMs: 1, msg: 'request' };
  expect(lines).toEqual([
    { ...base, ...rest, tokenId: 'tok_1', client: '::1' },
    { ...base, ...rest, client: '::1' },
    { ...base, ...rest },
  ]);
});

test('the line of a request is left out when the level is higher', async () => {
  expect(await logOf('warn', `${request} log.warn('kept');`)).toMatchObject([{ msg: 'kept' }]);
  expect(await logOf('silent', request)).toEqual([]);
});

test.each([
  ['unavailable', 'warn'],
  ['outcome_unknown', 'error'],
  ['defect', 'error'],
] as const)('a failure with the code %s has the level %s, whatever caused it', async (code, level) => {
  const path = JSON.stringify(join(import.meta.dir, '../src/base/app-error.ts'));
  const [line] = await logOf(
    'trace',
    `const { AppError } = await import(${path});
    logFailure(log, new AppError({ code: '${code}', message: 'why' }, { cause: new TypeError('cause') }), { requestId: 'r' });`,
  );
  expect(line).toMatchObject({ level, requestId: 'r', err: { type: 'TypeError', message: 'cause' }, msg: 'why' });
});

test('any other failure is a defect, with the level error', async () => {
  const [line] = await logOf('trace', "logFailure(log, new RangeError('other'));");
  expect(line).toMatchObject({ level: 'error', err: { type: 'RangeError', message: 'other' }, msg: 'defect' });
});

test('a line has no control character, and its values do not change', async () => {
  const hostile = '\u001b\u009b\u007f\u202e\u2028\ufeff\n';
  const program = `log.info({ reason: ${JSON.stringify(hostile)} }, 'a')`;
  const text = await textOf('info', program);
  expect(text).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(text)).toMatchObject({ reason: hostile, msg: 'a' });
});

test('lines keep their order, and the last are written when the process ends at once', async () => {
  const lines = await logOf('info', `log.info('first'); ${request} log.fatal('last'); process.exit(1);`);
  expect(lines.map(({ msg }) => msg)).toEqual(['first', 'request', 'last']);
});
