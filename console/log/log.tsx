/** The live log as a moving list: a filter, a pause, and marks where the connection was lost and where it continued. */
import { useState } from 'preact/hooks';
import { isExact } from '../api/json.ts';
import { eventTypes, type LogEvent } from '../live/event.ts';
import type { FeedState } from '../live/feed.ts';
import { NeedsScope, Notice } from '../parts/notice.tsx';
import { useTask } from '../parts/task.ts';
import { Time } from '../parts/text.tsx';
import { valuesOf } from '../plants/members.ts';
import { useSession } from '../session.ts';
import { useEntries } from './entries.ts';
import { type Entry, entriesMax, valuesBefore } from './entry.ts';
import { EventLine } from './event-line.tsx';

export const Log = () => {
  const session = useSession();
  const [type, setType] = useState<LogEvent['type']>();
  const [words, setWords] = useState('');
  const [isPaused, setPaused] = useState(false);
  const task = useTask();
  const { entries, waiting, state, release, readOlder, isReading, problem } = useEntries(session, isPaused);
  if (!session.can('plants:read')) return <NeedsScope scope="plants:read">The log is not shown.</NeedsScope>;

  /** Of an event, its values; of a deletion, the values before. */
  const restoreOf = (event: LogEvent): (() => void) | undefined => {
    const values = valuesBefore(entries, event);
    if (!session.can('plants:write') || !values || !isExact(event.id)) return undefined;
    return () => void task.run(() => session.actions.restoreValues(event.id, values));
  };
  const shown = entries.filter((entry) => isOfType(entry, type) && matches(entry, words));
  const toggle = (): void => {
    if (isPaused) release();
    setPaused(!isPaused);
  };
  return (
    <>
      <div class="head">
        <h2>Log</h2>
        <State state={isPaused ? 'paused' : state.kind} />
        <label class="inline">
          Type
          <select
            value={type ?? ''}
            onChange={({ currentTarget }) => setType(eventTypes.find((one) => one === currentTarget.value))}
          >
            <option value="">all</option>
            {eventTypes.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label class="inline">
          With
          <input
            type="search"
            value={words}
            placeholder="id, name or tag"
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="button" aria-pressed={isPaused} onClick={toggle}>
            {isPaused ? `Continue (${waiting.length} new)` : 'Pause'}
          </button>
        </div>
      </div>
      <Notice problem={task.problem ?? (state.kind === 'refused' ? state.problem : problem)} />
      {shown.length === 0 ? (
        <p class="quiet">{words === '' ? 'The next change of a plant appears here.' : 'No event has this text.'}</p>
      ) : (
        <ol class="moving" aria-label="Events, the newest first" reversed>
          {shown.map((entry) => (
            <li key={entry.key} class={'mark' in entry ? `mark ${entry.mark}` : undefined}>
              {'mark' in entry ? (
                <Mark {...entry} />
              ) : (
                <EventLine event={entry.event} onRestore={restoreOf(entry.event)} />
              )}
            </li>
          ))}
        </ol>
      )}
      {readOlder && entries.length < entriesMax && (
        <p>
          <button type="button" disabled={isReading} onClick={readOlder}>
            {isReading ? 'Reading …' : 'Older events'}
          </button>
        </p>
      )}
      {entries.length === entriesMax && <p class="quiet">Older events are not shown: the list has {entriesMax}.</p>}
    </>
  );
};

const stateWords: Readonly<Record<FeedState['kind'] | 'paused', string>> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost. Trying again …',
  refused: 'Not connected',
  paused: 'Paused',
};

const State = ({ state }: { readonly state: FeedState['kind'] | 'paused' }) => (
  <p role="status" class={`state ${state}`}>
    {stateWords[state]}
  </p>
);

const markWords = {
  lost: 'The connection was lost.',
  resumed: 'The connection is back. No event was missed.',
  gap: 'The connection is back. The service had removed events in the meantime, so some are missing here.',
};

const Mark = ({ mark, at }: Extract<Entry, { mark: unknown }>) => (
  <>
    <Time at={at} /> {markWords[mark]}
  </>
);

const isOfType = (entry: Entry, type: LogEvent['type'] | undefined): boolean =>
  'mark' in entry || type === undefined || entry.event.type === type;

const matches = (entry: Entry, words: string): boolean => {
  if ('mark' in entry) return true;
  const { event } = entry;
  const texts = [`${event.id}`, ...('name' in event ? Object.values(valuesOf(event)) : [])];
  return texts.some((text) => text?.toLowerCase().includes(words.toLowerCase()));
};
