/** What the view shows: events and marks, the newest first. Those that arrive during a pause wait. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { FeedState } from '../live/feed.ts';
import type { Session } from '../session.ts';
import { addEntries, type Entry, type MarkKind, markOf, toEntry } from './entry.ts';
import { useHistory } from './use-history.ts';

const connecting: FeedState = { kind: 'connecting' };

export const useEntries = ({ api, feed }: Session, isPaused: boolean) => {
  const { entries, add, read, readOlder, isReading, problem } = useHistory(api);
  const [waiting, setWaiting] = useState<readonly Entry[]>([]);
  const [state, setState] = useState(connecting);
  const paused = useRef(isPaused);
  paused.current = isPaused;

  const receive = useCallback(
    (added: readonly Entry[]): void => {
      if (paused.current) setWaiting((before) => addEntries(before, added));
      else add(added);
    },
    [add],
  );
  useEffect(() => {
    if (!feed) return setState(connecting);
    let kind: FeedState['kind'] = 'connecting';
    const mark = (what: MarkKind): void => receive([markOf(what, new Date())]);
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
        (events) => receive(events.map(toEntry)),
        () => mark('gap'),
      ),
      feed.state.subscribe(note),
    ];
    note();
    void read();
    return () => {
      for (const end of ends) end();
    };
  }, [feed, receive, read]);

  /** Shows what has arrived during the pause. */
  const release = (): void => {
    add(waiting);
    setWaiting([]);
  };
  return { entries, waiting, state, release, readOlder, isReading, problem };
};
