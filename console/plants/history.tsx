/** The kept events of one plant, the newest first. Each can be restored. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { addEntries, type Entry, toEntry, valuesBefore } from '../log/entry.ts';
import { EventLine } from '../log/event-line.tsx';
import { readHistory } from '../log/history.ts';
import { Notice } from '../parts/notice.tsx';
import { useTask } from '../parts/task.ts';
import { useSession } from '../session.ts';

export const History = ({ id }: { readonly id: string }) => {
  const { api, feed, can, actions } = useSession();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [older, setOlder] = useState<string>();
  const { isBusy, problem, run } = useTask();
  const read = useCallback(
    (after: string | undefined): Promise<void> =>
      run(async () => {
        const page = await readHistory(api, { plant: id, after });
        setEntries((before) => addEntries(before, page.events.map(toEntry)));
        setOlder(page.older);
      }),
    [api, id, run],
  );
  useEffect(() => void read(undefined), [read]);
  useEffect(
    () =>
      feed?.subscribe((event) => {
        if (`${event.id}` === id) setEntries((before) => addEntries(before, [toEntry(event)]));
      }),
    [feed, id],
  );
  return (
    <>
      <h4>History</h4>
      <Notice problem={problem} />
      <ol class="moving" aria-label={`Events of plant ${id}, the newest first`} reversed>
        {entries.map((entry) => {
          if (!('event' in entry)) return null;
          const values = can('plants:write') ? valuesBefore(entries, entry.event) : undefined;
          const restore = values && (() => void run(() => actions.restoreValues(entry.event.id, values)));
          return (
            <li key={entry.key}>
              <EventLine event={entry.event} onRestore={restore} />
            </li>
          );
        })}
      </ol>
      {older !== undefined && (
        <p>
          <button type="button" disabled={isBusy} onClick={() => void read(older)}>
            {isBusy ? 'Reading …' : 'Older events of this plant'}
          </button>
        </p>
      )}
    </>
  );
};
