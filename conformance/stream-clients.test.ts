/** The live log with the clients that people use, as they are: each reports every event once and in order, and nothing else. */
import { beforeAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { executableOf } from '../tests/support/programs/runtimes.ts';
import { executablePath } from './browser.ts';
import { checks, isInstalled, python, run } from './languages.ts';
import { cwdOf, isEvent, type Program, play } from './stream-clients/scenario.ts';

interface Tested extends Program {
  readonly isRunnable: boolean;
  /** Checks and builds. Clippy is not one of them: it would compile all packages again. */
  readonly steps: readonly (readonly string[])[];
}

const node = executableOf('node');

const programs: readonly Tested[] = [
  {
    folder: 'node',
    isRunnable: true,
    steps: [],
    commands: {
      '@microsoft/fetch-event-source': [node, 'fetch-event-source.ts'],
      'eventsource of npm': [node, 'eventsource.ts'],
      'eventsource-client of npm': [node, 'eventsource-client.ts'],
      'event-source-plus': [node, 'event-source-plus.ts'],
    },
  },
  {
    folder: 'python',
    isRunnable: isInstalled.python(),
    steps: checks.python,
    commands: {
      'httpx-sse': [python('python'), 'httpx_sse_client.py'],
      'sseclient-py': [python('python'), 'sseclient_py_client.py'],
    },
  },
  {
    folder: 'go',
    isRunnable: isInstalled.go(),
    steps: [...checks.go, ['go', 'build', '-o', 'target/client']],
    commands: { 'r3labs/sse': ['target/client', 'r3labs'], 'tmaxmax/go-sse': ['target/client', 'go-sse'] },
  },
  {
    folder: 'rust',
    isRunnable: isInstalled.rust(),
    steps: [...checks.rust, ['cargo', 'build', '--locked', '--quiet']],
    commands: {
      'eventsource-client of crates.io': ['target/debug/plant-store-stream-clients', 'eventsource-client'],
      'reqwest-eventsource': ['target/debug/plant-store-stream-clients', 'reqwest-eventsource'],
    },
  },
];

const inChromium = 'the EventSource of Chromium';
const hasChromium = existsSync(executablePath);

let outcome: Awaited<ReturnType<typeof play>>;
beforeAll(async () => {
  const runnable = programs.filter(({ isRunnable }) => isRunnable);
  const build = async (program: Tested): Promise<void> => {
    for (const step of program.steps)
      expect(await run(step, cwdOf(program))).toMatchObject({ exitCode: 0, stdout: '' });
  };
  await Promise.all(runnable.map(build));
  outcome = await play(runnable, hasChromium ? inChromium : undefined);
});

const clients = [
  ...programs.flatMap(({ isRunnable, commands }) => Object.keys(commands).map((name) => ({ name, isRunnable }))),
  { name: inChromium, isRunnable: hasChromium },
];

/** When a connection ends, it reports what came after the last event as one more event, even if that is only a comment. */
const reportsLastComment = 'r3labs/sse';

// A client is skipped if its language is not installed.
for (const { name, isRunnable } of clients)
  test.skipIf(!isRunnable)(`${name} reports every event once and in order over three kills of the server`, () => {
    const { log, reported } = outcome;
    const all = reported.get(name) ?? [];
    expect(log.length).toBeGreaterThan(5);
    expect(name === reportsLastComment ? all.filter(isEvent) : all).toEqual([...log]);
  });
