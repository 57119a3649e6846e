import { expect, test } from 'bun:test';
import { createRounds } from './options.ts';

test('without seconds all rounds begin', () => {
  const rounds = createRounds(3);
  expect([...rounds.each()]).toEqual([1, 2, 3]);
  expect(rounds.count()).toBe(3);
});

test('no round begins once the seconds are used', () => {
  expect([...createRounds(3, 3600).each()]).toEqual([1, 2, 3]);
  const begun: number[] = [];
  for (const round of createRounds(3, 0.01).each()) {
    begun.push(round);
    Bun.sleepSync(20);
  }
  expect(begun).toEqual([1]);
});

test('the least number of rounds begins in any case, but never more than the most', () => {
  expect([...createRounds(10, 0).each(4)]).toEqual([1, 2, 3, 4]);
  expect([...createRounds(2, 0).each(4)]).toEqual([1, 2]);
});

test('each loop has its own seconds, and the longest one is counted', () => {
  const rounds = createRounds(10, 0);
  expect([...rounds.each(3), ...rounds.each(2)]).toEqual([1, 2, 3, 1, 2]);
  expect(rounds.count()).toBe(3);
});

test.each([
  ['--help', "Unknown option '--help'"],
  ['--group=all', '--group must be one of quiet,'],
  ['--program=bun', '--program must be one of binary,'],
  ['--trial=kill', 'There is no such trial. There are: kill-server,'],
])('bun run faults refuses %s, and names the page with its options', (option, message) => {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, `${import.meta.dir}/../run.ts`, option]);
  expect(`${stderr}`).toStartWith(message);
  expect(`${stderr}`).toEndWith('\ntests/faults/README.md has the options.\n');
  expect(exitCode).toBe(2);
});
