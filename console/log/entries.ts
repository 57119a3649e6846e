/** What the view shows: events and marks, the newest first. Those that arrive during a pause wait. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { FeedState } from '../live/feed.ts';
import { useTask } from '../parts/task.ts';
import type { Session } from '../session.ts';
import { addEntries, type Entry, type MarkKind, markOf, toEntry } from './entry.ts';
import { type HistoryPage, readHistory } from './history.ts';

const connecting: FeedState = { kind: 'connecting' };

export const useEntries = ({ api, feed }: Session, isPaused: boolean) => {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [waiting, setWaiting] = useState<readonly Entry[]>([]);
  const [state, setState] = useState(connecting);
  const [older, setOlder] = useState<string>();
  const { isBusy, problem, run } = useTask();
  const paused = useRef(isPaused);
  paused.current = isPaused;

  const add = useCallback((added: readonly Entry[]): void => {
    const change = (before: readonly Entry[]): readonly Entry[] => addEntries(before, added);
    if (paused.current) setWaiting(change);
    else setEntries(change);
  }, []);
  /** Adds the events before the cursor; the newest ones without it. */
  const read = useCallback(
    (after: string | undefined): Promise<void> =>
      run(async () => {
        const page: HistoryPage = await readHistory(api, { after });
        setEntries((before) => addEntries(before, page.events.map(toEntry)));
        setOlder(page.older);
      }),
    [api, run],
  );
  useEffect(() => {
    if (!feed) return setState(connecting);
    let kind: FeedState['kind'] = 'connecting';
    const mark = (what: MarkKind): void => add([markOf(what, new Date())]);
    const note = (): void => {
      const next = feed.state.get();
      if (next.kind === 'live' && kind === 'lost') mark('resumed');
      if (next.kind === 'lost' && kind !== 'lost') mark('lost');
      // A loss lasts until the connection is back.
      if (next.kind !== 'connecting') kind = next.kind;
      setState(next);
    };
    const ends = [
      feed.subscribe(
        (event) => add([toEntry(event)]),
        () => mark('gap'),
      ),
      feed.state.subscribe(note),
    ];
    note();
    void read(undefined);
    return () => {
      for (const end of ends) end();
    };
  }, [feed, add, read]);

  /** Shows what has arrived during the pause. */
  const release = useCallback(() => {
    setEntries((before) => addEntries(before, waiting));
    setWaiting([]);
  }, [waiting]);
  const readOlder = older === undefined ? undefined : () => void read(older);
  return { entries, waiting, state, release, readOlder, isReading: isBusy, problem };
};
