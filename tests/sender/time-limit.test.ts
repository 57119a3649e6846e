import { expect, test } from 'bun:test';
import { createTimeLimit } from '../../src/sender/time-limit.ts';
import { stopClock } from '../support/stopped-clock.ts';

const running = (): AbortSignal => new AbortController().signal;
const hanging = new Promise<never>(() => {});

test('each attempt that takes too long is aborted with a TimeoutError, and an ended one is not', async () => {
  const begin = createTimeLimit(20);
  const [ended, first, second] = [begin(running()), begin(running()), begin(running())];
  ended.end();
  await expect(first.until(hanging)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
  await expect(second.until(hanging)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
  expect([ended, first, second].map(({ signal }) => signal.aborted)).toEqual([false, true, true]);
});

test('attempts that begin together have one signal, until all of them have ended', async () => {
  const begin = createTimeLimit(20);
  const stopped = running();
  const [ended, late] = [begin(stopped), begin(stopped)];
  expect(late.signal).toBe(ended.signal);
  ended.end();
  expect(begin(stopped).signal).toBe(late.signal);
  await expect(late.until(hanging)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
  const next = begin(stopped);
  expect(next.signal.aborted).toBe(false);
  next.end();
  expect(begin(stopped).signal).not.toBe(next.signal);
});

test('an attempt that begins later has its own time limit', async () => {
  using clock = stopClock();
  const begin = createTimeLimit(100);
  const stopped = running();
  const first = begin(stopped);
  await clock.pass(50);
  const second = begin(stopped);
  const areAborted = () => [first.signal.aborted, second.signal.aborted];
  await clock.pass(50);
  expect(areAborted()).toEqual([false, false]);
  await clock.pass(20);
  expect(areAborted()).toEqual([true, false]);
  await clock.pass(50);
  expect(areAborted()).toEqual([true, true]);
});

test('the time limit works again after all attempts have ended', async () => {
  const begin = createTimeLimit(20);
  begin(running()).end();
  await expect(begin(running()).until(hanging)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
  await expect(begin(running()).until(hanging)).rejects.toThrow(expect.objectContaining({ name: 'TimeoutError' }));
});

test('a stop aborts the attempts of its signal with its reason, and no others', async () => {
  const begin = createTimeLimit(3_600_000);
  const stop = new AbortController();
  const [one, other, another] = [begin(stop.signal), begin(stop.signal), begin(running())];
  const waiting = one.until(hanging);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(other.until(hanging)).rejects.toThrow('stopped');
  await expect(begin(stop.signal).until(hanging)).rejects.toThrow('stopped');
  expect(another.signal.aborted).toBe(false);
  another.end();
});
