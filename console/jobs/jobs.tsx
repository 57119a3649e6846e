/** The jobs, in every view, until the user has seen what failed. */
import { Notice } from '../parts/notice.tsx';
import { useStore } from '../parts/store.ts';
import { Code, countOf, Text } from '../parts/text.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { dismiss, type Job, jobs } from './job.ts';

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
  const { key, title, count, doneCount, failures, untriedCount, problem, isRunning, stop } = job;
  return (
    <section class="panel job" aria-label={title}>
      <p>
        {title}: {doneCount} of {count}
        {failures.length > 0 && `, ${failures.length} failed`}
        {untriedCount > 0 && `, ${untriedCount} not tried`}.
      </p>
      {isRunning && <progress max={count} value={doneCount + failures.length} aria-label={title} />}
      <Notice problem={problem} />
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
