/** The kept events of one plant, the newest first. Each can be restored, if the user may change the plant. */
import { useEffect } from 'preact/hooks';
import { toEntry, valuesBefore } from '../log/entry.ts';
import { EventLine } from '../log/event-line.tsx';
import { useHistory } from '../log/use-history.ts';
import { Notice } from '../parts/notice.tsx';
import { useTask } from '../parts/task.ts';
import { useSession } from '../session.ts';

interface HistoryProps {
  readonly id: string;
  readonly canRestore: boolean;
}

export const History = ({ id, canRestore }: HistoryProps) => {
  const { api, feed, actions } = useSession();
  const { entries, add, read, readOlder, isReading, problem } = useHistory(api, id);
  const task = useTask();
  useEffect(() => void read(), [read]);
  useEffect(
    () =>
      feed?.subscribe((events) => {
        const own = events.filter((event) => `${event.id}` === id);
        if (own.length > 0) add(own.map(toEntry));
      }),
    [feed, id, add],
  );
  return (
    <>
      <h4>History</h4>
      <Notice problem={task.problem ?? problem} />
      <ol class="moving" aria-label={`Events of plant ${id}, the newest first`} reversed>
        {entries.map((entry) => {
          if (!('event' in entry)) return null;
          const values = canRestore ? valuesBefore(entries, entry.event) : undefined;
          const restore = values && (() => void task.run(() => actions.restoreValues(entry.event.id, values)));
          return (
            <li key={entry.key}>
              <EventLine event={entry.event} onRestore={restore} />
            </li>
          );
        })}
      </ol>
      {readOlder && (
        <p>
          <button type="button" disabled={isReading} onClick={readOlder}>
            {isReading ? 'Reading …' : 'Older events of this plant'}
          </button>
        </p>
      )}
    </>
  );
};
