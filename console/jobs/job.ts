/** What runs for a while, with its progress, and then with what failed. */
import type { Problem } from '../api/problem.ts';
import { createStore } from '../parts/store.ts';
import { type Outcome, type Progress, type RunOptions, runMany } from './run-many.ts';

export interface Job extends Progress {
  readonly key: number;
  /** Such as `Deleting`. */
  readonly title: string;
  readonly count: number;
  readonly isRunning: boolean;
  /** 0 while it runs. */
  readonly untriedCount: number;
  readonly problem?: Problem | undefined;
  readonly stop: () => void;
}

export const jobs = createStore<readonly Job[]>([]);
let latestKey = 0;

type JobOptions<Item> = Omit<RunOptions<Item>, 'signal' | 'onProgress'> & { readonly title: string };

/** Resolves to the outcome. A job that has failed in part stays until the user dismisses it. */
export const runJob = async <Item>({ title, ...options }: JobOptions<Item>): Promise<Outcome<Item>> => {
  latestKey += 1;
  const key = latestKey;
  const controller = new AbortController();
  const { signal } = controller;
  const count = options.items.length;
  const stop = (): void => controller.abort();
  const job: Job = { key, title, count, doneCount: 0, failures: [], isRunning: true, untriedCount: 0, stop };
  const show = (change: Partial<Job>): void =>
    jobs.update((all) => all.map((one) => (one.key === key ? { ...one, ...change } : one)));
  jobs.update((all) => [...all, job]);
  const outcome = await runMany({ ...options, signal, onProgress: show });
  const { untried, problem } = outcome;
  show({ isRunning: false, untriedCount: untried.length, problem });
  if (outcome.failures.length + untried.length === 0) dismiss(key);
  return outcome;
};

export const dismiss = (key: number): void => jobs.update((all) => all.filter((one) => one.key !== key));
