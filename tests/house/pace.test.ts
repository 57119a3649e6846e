import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { countUntil, expectLinear, PaceError } from '../support/pace.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { until } from '../support/until.ts';

/** A sleep for a time. One inside a text is for another program. */
const sleep = /^[^'`/]*(?:\bBun\.sleep|\bsleep|(?<!const )\bsetTimeout)\((?!\)|\(|isBusy)/m;
const upperLimit = /expect\((?:performance|Date)\.now\(\)[^)\n]*\)\.toBeLess/;

test('no test asserts the longest time that something may take, and README.md lists the files with sleeps', () => {
  const folder = join(import.meta.dir, '..');
  const files = [...new Bun.Glob('**/*.test.{ts,tsx}').scanSync(folder)].filter(
    (file) => !/^(?:faults|house)\//.test(file),
  );
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  expect(files.length).toBeGreaterThan(150);
  expect(files.filter((file) => upperLimit.test(read(file)))).toEqual([]);
  const [, rows = ''] = /\n\| What stays [^\n]+\n([\s\S]+?)\n\n/.exec(read('README.md')) ?? [];
  const listed = new Set([...rows.matchAll(/`([\w/-]+)`/g)].map(([, name]) => `${name}.test.ts`));
  expect(files.filter((file) => sleep.test(read(file))).sort()).toEqual([...listed].sort());
});

test('no conformance test sleeps or asserts the longest time that something may take', () => {
  const folder = join(import.meta.dir, '../../conformance');
  const files = [...new Bun.Glob('*.test.ts').scanSync(folder)];
  expect(files.length).toBeGreaterThan(25);
  const isOfPace = (text: string): boolean => upperLimit.test(text) || sleep.test(text);
  expect(files.filter((file) => isOfPace(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
});

/** The limit behind the function of a test or of a hook, in milliseconds. */
const ownLimit = /(?<!\{)\},\s+([\d_]{4,})(?:,\s+)?\);$/gm;

test('the time limit of every test is minutes: it ends what hangs, on a slow machine too', () => {
  const root = join(import.meta.dir, '../..');
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const files = [...new Bun.Glob('{tests,conformance,bench,map,docs}/**/*.test.{ts,tsx}').scanSync(root)].filter(
    (file) => !file.includes('node_modules/'),
  );
  const limits = files.flatMap((file) =>
    [...read(file).matchAll(ownLimit)].map(([, limit = '']) => ({ file, limitMs: Number(limit.replaceAll('_', '')) })),
  );
  expect(limits.length).toBeGreaterThan(0);
  expect(limits.filter(({ limitMs }) => limitMs < 180_000)).toEqual([]);
  // Without a limit in the command, Bun ends a test after five seconds.
  for (const folder of ['bench', 'map'])
    expect(JSON.parse(read(`${folder}/package.json`)).scripts.test).toBe('bun test --timeout=600000');
});

test.each(['  await Bun.sleep(100);', 'await setTimeout(pauseMs);', '  while (!isOver) await sleep(5);'])(
  'the check finds the sleep in `%s`',
  (code) => expect(code).toMatch(sleep),
);

test('a control runs one time after the other until the work ends', async () => {
  let [running, controls] = [0, 0];
  const work = until(() => controls >= 5);
  const count = await countUntil(work, async () => {
    running += 1;
    await setTimeout(1);
    controls += 1;
    running -= 1;
    expect(running).toBe(0);
  });
  expect(count).toBeGreaterThanOrEqual(5);
  await expect(countUntil(Promise.reject(new Error('no')), () => setTimeout(1))).rejects.toThrow('no');
});

test('linear work is within the limit, and quadratic work is not', () => {
  let length = 0;
  // Not a sum, of which a compiler makes so little that nothing can be measured.
  const linear = (size: number): void => {
    length += Array.from({ length: size }, (_, index) => `${index}`).join('').length;
  };
  const quadratic = (size: number): void => {
    for (let step = 0; step < size; step += 1) linear(size);
  };
  expectLinear(linear, 2000);
  expect(() => expectLinear(quadratic, 50)).toThrow(PaceError);
  expect(length).toBeGreaterThan(0);
});

test('while the clock is stopped, timers fire only as the test lets time pass', async () => {
  using clock = stopClock();
  const startedAtMs = performance.now();
  let fired = 0;
  const chain = setTimeout(500).then(async () => {
    fired += 1;
    await setTimeout(500);
    fired += 1;
  });
  await clock.pass(900);
  expect([fired, performance.now() - startedAtMs]).toEqual([1, 900]);
  await clock.passUntil(chain);
  expect(fired).toBe(2);
  // With `rejects`, Bun would wait for a timer of another test.
  expect(await clock.passUntil(new Promise(() => {})).catch(String)).toContain('has not ended');
});
