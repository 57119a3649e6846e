/** Output on a terminal and in a pipe. */
import { expect, test } from 'bun:test';
import { stripVTControlCharacters } from 'node:util';
import { type Setting, settings } from '../../src/config/settings.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { runProgram, underTest } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';
import { until } from '../support/until.ts';

const columns = 60;

/** The complete output on a terminal with so many columns. */
const show = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
  let shown = '';
  await using terminal = new Bun.Terminal({
    cols: columns,
    rows: 50,
    data: (_, bytes) => {
      shown += new TextDecoder().decode(bytes);
    },
  });
  Bun.spawn(['/bin/sh', '-c', '"$@"; echo end of output', 'sh', ...underTest, ...args], {
    env: { TERM: 'xterm-256color', ...env },
    terminal,
  });
  await until(() => shown.includes('end of output'));
  return shown;
};

const csi = '\u001b[';

test('a help text has colours and the width of the terminal', async () => {
  const shown = await show(['serve', '--help']);
  expect(shown).toContain(`${csi}1mUsage:`);
  expect(shown).toContain(`${csi}1mLOG_LEVEL`);
  const widths = stripVTControlCharacters(shown)
    .split(/\r?\n/)
    .map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
  expect(Math.max(...widths)).toBeGreaterThan(columns - 10);
});

test('an error is red on a terminal', async () => {
  for (const args of [
    ['serve', '--no-such'],
    ['import', 'none.csv'],
  ])
    expect(await show(args)).toContain(`${csi}31mplant-store:${csi}39m`);
});

test('with NO_COLOR a terminal shows no colours', async () => {
  for (const args of [
    ['serve', '--help'],
    ['import', 'none.csv'],
  ]) {
    const shown = await show(args, { NO_COLOR: '1' });
    expect(shown).toContain(args[1] === '--help' ? 'Usage:' : 'Cannot read none.csv');
    expect(shown).not.toContain(csi);
  }
});

linuxTest('an export escapes control characters on a terminal only, and keeps its line ends', async () => {
  using work = createWorkplace();
  const name = 'a\u001b[31m\u009b\u202e\r\n"b';
  work.write('a.ndjson', `${JSON.stringify({ id: 1, name })}\n`);
  await work.run('import', 'a.ndjson');
  const formats = [
    ['ndjson', String.raw`{"id":1,"name":"a\u001b[31m\u009b\u202e\r\n\"b",`, JSON.stringify(name)],
    ['csv', `1,"a${String.raw`\u001b[31m\u009b\u202e`}\r\n""b",,`, `"${name.replace('"', '""')}"`],
  ] as const;
  for (const [format, shown, exact] of formats) {
    const toStdout = ['export', '-', '--format', format, '--database', work.database];
    // The terminal shows LF as CRLF.
    expect((await show(toStdout)).replaceAll('\r\r\n', '\r\n')).toContain(shown);
    expect((await work.run('export', '-', '--format', format)).stdout).toContain(exact);
  }
});

test('a pipe gets no colours, and help texts of 80 columns', async () => {
  const { stdout } = await runProgram(['serve', '--help']);
  expect((await runProgram(['import', 'none.csv'])).stderr).toStartWith('plant-store: Cannot read none.csv');
  expect(stdout).not.toContain(csi);
  const widths = stdout.split('\n').map((line) => line.length);
  expect(Math.max(...widths)).toBeWithin(70, 81);
});

test('the help of serve has every setting that has no flag', async () => {
  const { stdout } = await runProgram(['serve', '--help']);
  const [, listed = ''] = stdout.split('Settings (environment variables):\n');
  const withoutFlag = Object.values<Setting>(settings).filter(({ flag }) => flag === undefined);
  expect(listed.match(/^ {2}[A-Z]\w+/gm)?.map((name) => name.trim())).toEqual(withoutFlag.map(({ name }) => name));
  expect(listed).toContain('(default: 30d)');
  expect(listed).not.toContain('undefined');
});

linuxTest('a reader that closes the pipe early causes no message', async () => {
  using work = createWorkplace();
  await work.fill(5000);
  const { exitCode, stdout, stderr } = await work.runInShell(
    '{ "$@"; echo "exit $?" >&2; } | head -n 1',
    ...['export', '-', '--database', work.database],
  );
  expect({ exitCode, stdout: stdout.slice(0, 17), stderr }).toEqual({
    exitCode: 0,
    stdout: '{"id":0,"name":"n',
    stderr: 'exit 1\n',
  });
});
