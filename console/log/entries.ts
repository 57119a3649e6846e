/** What the view shows: events and marks, the newest first. Those that arrive during a pause wait. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { expect, nextCursorOf } from '../api/client.ts';
import type { LogEvent } from '../live/event.ts';
import type { FeedState } from '../live/feed.ts';
import type { Session } from '../session.ts';
import { addEntries, type Entry, type MarkKind, markOf } from './entry.ts';

/** A log with more events than this begins with the next event. A shorter one is shown from its beginning. */
const shortLog = 100;

const connecting: FeedState = { kind: 'connecting' };

export const useEntries = ({ api, feed }: Session, isPaused: boolean) => {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [waiting, setWaiting] = useState<readonly Entry[]>([]);
  const [state, setState] = useState(connecting);
  const paused = useRef(isPaused);
  paused.current = isPaused;

  const add = useCallback((added: readonly Entry[]): void => {
    const change = (before: readonly Entry[]): readonly Entry[] => addEntries(before, added);
    if (paused.current) setWaiting(change);
    else setEntries(change);
  }, []);
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
        (event) => add([{ key: event.eventId, event }]),
        () => mark('gap'),
      ),
      feed.state.subscribe(note),
    ];
    note();
    void firstEvents(api)
      .then((events) => add(events.map((event) => ({ key: event.eventId, event }))))
      .catch(() => {});
    return () => {
      for (const end of ends) end();
    };
  }, [api, feed, add]);

  /** Shows what has arrived during the pause. */
  const release = useCallback(() => {
    setEntries((before) => addEntries(before, waiting));
    setWaiting([]);
  }, [waiting]);
  return { entries, waiting, state, release };
};

/** All events of a short log. None of a long one. */
const firstEvents = async (api: Session['api']): Promise<readonly LogEvent[]> => {
  const { data, response } = await expect(api.events.get({ query: { limit: shortLog } }));
  return nextCursorOf(response) === undefined ? data : [];
};
