/** The form of the log on a terminal. `tests/log.test.ts` has its lines elsewhere. */
import { expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { commandOf, type ProgramName } from '../support/programs/programs.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { until } from '../support/until.ts';

/** Starts `serve` on a terminal, sends a request, stops it, and returns what the terminal shows. */
const shownBy = async (program: ProgramName, env: Readonly<Record<string, string>>): Promise<string> => {
  using folder = temporaryFolder();
  const decoder = new TextDecoder();
  let shown = '';
  const terminal = new Bun.Terminal({
    cols: 400,
    data: (_, bytes) => {
      shown += decoder.decode(bytes, { stream: true });
    },
  });
  const child = Bun.spawn([...commandOf(program), 'serve', '--port', '0', '--database', folder.file('p.sqlite')], {
    env: { PATH: process.env['PATH'], HOME: folder.path, TERM: 'xterm', ...env },
    terminal,
  });
  const url = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0];
  await until(() => url() !== undefined || child.exitCode !== null);
  await fetch(`${url()}/healthz`);
  await until(() => shown.includes('/healthz'));
  child.kill();
  await child.exited;
  await until(() => shown.includes('stopped'));
  return shown;
};

const development = { NODE_ENV: 'development' };
const line = /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/healthz 200 in [\d.]+ ms \{"requestId":"[\w-]+"\}\r?$/m;

test.each(runtimeNames.map((name) => `${name} source` as const))(
  'with the %s, the log on a terminal in development is for people',
  async (program) => {
    const shown = await shownBy(program, { ...development, NO_COLOR: '1' });
    expect(shown).toMatch(/^\[[\d:.]+\] INFO: ready \{"url":"http:[^"]+"\}\r?$/m);
    expect(shown).toMatch(line);
    expect(shown).not.toContain('"level"');
    expect(shown).not.toContain('\u001b');
  },
);

test('it has colours, unless NO_COLOR is set', async () => {
  expect(await shownBy('bun source', development)).toContain('\u001b[32mINFO\u001b[39m: \u001b[36mready');
});

test.each([
  ['bun source', {}],
  ['bun source', { NODE_ENV: 'production' }],
  ['binary', development],
] as const)('the log of the %s with %j is JSON, on a terminal too', async (program, env) => {
  const shown = await shownBy(program, env);
  expect(shown).toMatch(/^\{"level":"info",.*"msg":"ready"\}\r?$/m);
  expect(shown).not.toContain('INFO');
});

test('a line with control characters of others shows them escaped', async () => {
  const script = `
    import { openLog } from ${JSON.stringify(new URL('../../src/cli/log.ts', import.meta.url).pathname)};
    const log = await openLog({ logLevel: 'info', isDevelopment: true });
    log.info({ value: 'a\\u001b[31m\\u202e\\n', err: new TypeError('x') }, 'b\\u009b2j\\rc');
  `;
  let shown = '';
  const terminal = new Bun.Terminal({
    data: (_, bytes) => {
      shown += new TextDecoder().decode(bytes);
    },
  });
  const child = Bun.spawn([process.execPath, '-e', script], {
    env: { NO_COLOR: '1', PATH: process.env['PATH'] },
    terminal,
  });
  await child.exited;
  await until(() => shown.includes('"stack"'));
  expect(shown).toContain(String.raw`INFO: b\u009b2j\u000dc {"value":"a\u001b[31m\u202e\u000a"`);
  expect(shown).toContain('"type": "TypeError"');
  expect(shown.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
