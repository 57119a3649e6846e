import { describe, expect, test } from 'bun:test';
import { batchMax, createBatcher, type Outcome, queueMax } from '../../../src/postgres/session/group-commit.ts';
import { stopClock } from '../../support/stopped-clock.ts';
import { createStoreReports } from '../../support/store/store-reports.ts';
import { until } from '../../support/until.ts';

/** A batcher whose batches are committed by hand. */
const createCommits = () => {
  const commits: { changes: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const { batches, observer } = createStoreReports();
  const { add } = createBatcher(
    (changes: readonly number[]) =>
      new Promise<readonly Outcome<number>[]>((resolve, reject) => {
        const outcomes = changes.map((change) => (change < 0 ? { error: `no ${change}` } : { result: change * 2 }));
        commits.push({ changes, answer: () => resolve(outcomes), fail: reject });
      }),
    observer,
  );
  return { commits, add, batches };
};

/** A batcher that has answered two changes after 100 ms, while a third one came. */
const createSlowCommit = async (clock: ReturnType<typeof stopClock>) => {
  const { commits, add } = createCommits();
  const first = [add(1), add(2)];
  await nextTurn();
  const waiting = add(3);
  await clock.pass(100);
  commits[0]?.answer();
  await Promise.all(first);
  return { commits, add, waiting };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('batches', () => {
  test('changes that arrive together share a transaction, and each has its own outcome', async () => {
    const { commits, add } = createCommits();
    const outcomes = Promise.allSettled([add(1), add(-1), add(2)]);
    await nextTurn();
    expect(commits.map(({ changes }) => changes)).toEqual([[1, -1, 2]]);
    commits[0]?.answer();
    expect(await outcomes).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: 'no -1' },
      { status: 'fulfilled', value: 4 },
    ]);
  });

  test('changes that arrive during a commit form the next batch', async () => {
    const { commits, add } = createCommits();
    const first = add(1);
    await nextTurn();
    const others = [add(2), add(3)];
    await nextTurn();
    expect(commits.map(({ changes }) => changes)).toEqual([[1]]);
    commits[0]?.answer();
    expect(await first).toBe(2);
    await until(() => commits.length === 2);
    expect(commits.map(({ changes }) => changes)).toEqual([[1], [2, 3]]);
    commits[1]?.answer();
    expect(await Promise.all(others)).toEqual([4, 6]);
  });

  test('a commit that fails refuses its batch, and the next one is committed', async () => {
    const { commits, add, batches } = createCommits();
    const failing = Promise.allSettled([add(1), add(2)]);
    await nextTurn();
    const next = add(3);
    commits[0]?.fail(new Error('lost'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await until(() => commits.length === 2);
    commits[1]?.answer();
    expect(await next).toBe(6);
    expect(batches).toMatchObject([
      { writes: 2, isCommitted: false },
      { writes: 1, isCommitted: true },
    ]);
  });

  test(`a batch has at most ${batchMax} changes, and at most ${queueMax} may wait`, async () => {
    const { commits, add } = createCommits();
    const waiting = Array.from({ length: queueMax }, (_, n) => add(n));
    await expect(add(0)).rejects.toMatchObject({ code: 'unavailable' });
    for (let batch = 0; batch * batchMax < queueMax; batch += 1) {
      await until(() => commits.length > batch);
      expect(commits[batch]?.changes).toHaveLength(batchMax);
      commits[batch]?.answer();
    }
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: queueMax }, (_, n) => n * 2));
  });

  test('a change that has waited too long for its batch is refused without being sent', async () => {
    using clock = stopClock();
    const { commits, add } = createCommits();
    const first = add(1);
    await nextTurn();
    const late = add(2).catch((error: unknown) => error);
    await clock.pass(1600);
    commits[0]?.answer();
    await first;
    expect(await clock.passUntil(late)).toMatchObject({ code: 'unavailable' });
    expect(commits).toHaveLength(1);
  });

  test('after a slow commit, the next changes of its clients join those that wait', async () => {
    using clock = stopClock();
    const { commits, add, waiting } = await createSlowCommit(clock);
    const again = [add(1)];
    await clock.pass(1);
    again.push(add(2));
    await clock.pass(100);
    expect(commits[1]?.changes).toEqual([3, 1, 2]);
    commits[1]?.answer();
    await Promise.all([waiting, ...again]);
  });

  test('changes do not wait for clients that do not come back after a slow commit', async () => {
    using clock = stopClock();
    const { commits, waiting } = await createSlowCommit(clock);
    await clock.pass(100);
    expect(commits[1]?.changes).toEqual([3]);
    commits[1]?.answer();
    await waiting;
  });
});
