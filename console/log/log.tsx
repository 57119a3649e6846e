/** The live log as a moving list: a filter, a pause, and marks where the connection was lost and where it continued. */
import { useState } from 'preact/hooks';
import { NeedsScope, Notice } from '../parts/notice.tsx';
import { Code, Text, Time } from '../parts/text.tsx';
import { Tag } from '../plants/table.tsx';
import { useSession } from '../session.ts';
import { type Entry, entriesMax, type LogState, useEntries } from './entries.ts';
import type { EventType, LogEvent } from './follow.ts';

const types = ['plant.created', 'plant.updated', 'plant.deleted'] as const satisfies readonly EventType[];

export const Log = () => {
  const session = useSession();
  const [type, setType] = useState<EventType>();
  const [words, setWords] = useState('');
  const [isPaused, setPaused] = useState(false);
  const { entries, waiting, state, problem, release, clear } = useEntries(session, type, isPaused);
  if (!session.can('plants:read')) return <NeedsScope scope="plants:read">The log is not shown.</NeedsScope>;

  const shown = entries.filter((entry) => matches(entry, words));
  const toggle = (): void => {
    if (isPaused) release();
    setPaused(!isPaused);
  };
  const choose = (value: string): void => {
    clear();
    setType(types.find((one) => one === value));
  };
  return (
    <>
      <div class="head">
        <h2>Log</h2>
        <State state={isPaused ? 'paused' : state} />
        <label class="inline">
          Type
          <select value={type ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <option value="">all</option>
            {types.map((one) => (
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
      {state === 'refused' && <Notice problem={problem} />}
      {shown.length === 0 ? (
        <p class="quiet">{words === '' ? 'The next change of a plant appears here.' : 'No event has this text.'}</p>
      ) : (
        <ol class="moving" aria-label="Events, the newest first" reversed>
          {shown.map((entry) => (
            <li key={entry.key} class={'mark' in entry ? `mark ${entry.mark}` : undefined}>
              {'mark' in entry ? <Mark {...entry} /> : <Event event={entry.event} />}
            </li>
          ))}
        </ol>
      )}
      {entries.length === entriesMax && <p class="quiet">Older events are not shown: the list has {entriesMax}.</p>}
    </>
  );
};

const stateWords: Readonly<Record<LogState | 'paused', string>> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost. Trying again …',
  refused: 'Not connected',
  paused: 'Paused',
};

const State = ({ state }: { readonly state: LogState | 'paused' }) => (
  <p role="status" class={`state ${state}`}>
    {stateWords[state]}
  </p>
);

const Event = ({ event }: { readonly event: LogEvent }) => (
  <>
    <Time at={event.timestamp} />
    <span class={`type ${event.type.replace('.', '-')}`}>{event.type}</span>
    <Code>{`${event.id}`}</Code>
    {'name' in event && (
      <span class="what">
        <Text>{event.name}</Text> <Tag tag={event.tag} />
      </span>
    )}
    <span class="quiet number">#{`${event.sequence}`}</span>
  </>
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

const matches = (entry: Entry, words: string): boolean => {
  if ('mark' in entry) return true;
  const { event } = entry;
  const texts = [`${event.id}`, ...('name' in event ? [event.name, event.tag ?? ''] : [])];
  return texts.some((text) => text.toLowerCase().includes(words.toLowerCase()));
};
