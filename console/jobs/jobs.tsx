/** What runs for a while: shown in every view with its progress, and then with what failed, until the user has seen it. */
import { explain, type Problem } from '../api/problem.ts';
import { createStore, useStore } from '../parts/store.ts';
import { Code, countOf, Text } from '../parts/text.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { type Outcome, runMany } from './run-many.ts';

interface Job {
  readonly key: number;
  /** Such as `Deleting`. */
  readonly title: string;
  readonly count: number;
  readonly done: number;
  readonly failures: readonly { readonly id: string; readonly reason: string }[];
  readonly untriedCount: number;
  readonly problem: Problem | undefined;
  readonly isRunning: boolean;
  readonly stop: () => void;
}

const jobs = createStore<readonly Job[]>([]);
let latestKey = 0;

export interface JobOptions<Item> {
  readonly title: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  /** Resolves to why it failed, or to undefined. Throws Problem. */
  readonly run: (item: Item) => Promise<string | undefined>;
}

/** Resolves to the outcome. A job that has failed in part stays until the user dismisses it. */
export const runJob = async <Item,>({ title, items, idOf, run }: JobOptions<Item>): Promise<Outcome<Item>> => {
  latestKey += 1;
  const key = latestKey;
  const controller = new AbortController();
  const job: Job = {
    key,
    title,
    count: items.length,
    done: 0,
    failures: [],
    untriedCount: items.length,
    problem: undefined,
    isRunning: true,
    stop: () => controller.abort(),
  };
  const show = ({ doneCount, failures, untried, problem }: Outcome<Item>, isRunning: boolean): void =>
    jobs.update((all) =>
      all.map((one) =>
        one.key === key
          ? {
              ...one,
              done: doneCount,
              failures: failures.map(({ item, reason }) => ({ id: idOf(item), reason })),
              untriedCount: untried.length,
              problem,
              isRunning,
            }
          : one,
      ),
    );
  jobs.update((all) => [...all, job]);
  const outcome = await runMany({
    items,
    run,
    signal: controller.signal,
    onProgress: (progress) => show(progress, true),
  });
  show(outcome, false);
  if (outcome.failures.length + outcome.untried.length === 0) dismiss(key);
  return outcome;
};

const dismiss = (key: number): void => jobs.update((all) => all.filter((one) => one.key !== key));

export const Jobs = () => {
  const all = useStore(jobs);
  useUnsaved(all.some(({ isRunning }) => isRunning));
  return (
    <>
      {all.map((job) => (
        <JobPanel key={job.key} job={job} />
      ))}
    </>
  );
};

const shownMax = 200;

const JobPanel = ({ job }: { readonly job: Job }) => {
  const { key, title, count, done, failures, untriedCount, problem, isRunning, stop } = job;
  return (
    <section class="panel job" aria-label={title}>
      <p>
        {title}: {done} of {count}
        {failures.length > 0 && `, ${failures.length} failed`}
        {!isRunning && untriedCount > 0 && `, ${untriedCount} not tried`}.
      </p>
      {isRunning && <progress max={count} value={count - untriedCount} aria-label={title} />}
      {problem && (
        <p class="notice" role="alert">
          {explain(problem)}
        </p>
      )}
      {failures.length > 0 && (
        <ul class="failures" aria-label="What failed">
          {failures.slice(0, shownMax).map(({ id, reason }) => (
            <li key={id}>
              Plant <Code>{id}</Code>: <Text>{reason}</Text>
            </li>
          ))}
          {failures.length > shownMax && <li>… and {countOf(failures.length - shownMax, 'other')}</li>}
        </ul>
      )}
      <p class="actions">
        {isRunning ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={() => dismiss(key)}>
            Close the list
          </button>
        )}
      </p>
    </section>
  );
};
