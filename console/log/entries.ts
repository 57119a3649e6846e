/** What the view shows: events and marks, the newest first, at most `entriesMax`. */
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { expect, nextCursorOf } from '../api/client.ts';
import type { Problem } from '../api/problem.ts';
import type { Session } from '../session.ts';
import { type EventType, follow, type LogEvent } from './follow.ts';

export type Entry =
  | { readonly key: string; readonly event: LogEvent }
  | { readonly key: string; readonly mark: 'lost' | 'resumed' | 'gap'; readonly at: string };

export type LogState = 'connecting' | 'live' | 'lost' | 'refused';

export const entriesMax = 500;

/** A log with more events than this begins with the next event. A shorter one is shown from its beginning. */
const shortLog = 100;

export const useEntries = ({ api, token, accepted }: Session, type: EventType | undefined, isPaused: boolean) => {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [waiting, setWaiting] = useState<readonly Entry[]>([]);
  const [state, setState] = useState<LogState>('connecting');
  const [problem, setProblem] = useState<Problem>();
  const paused = useRef(isPaused);
  paused.current = isPaused;
  /** The id of the newest event that was seen, of any type. */
  const last = useRef<string>(undefined);
  /** Whether the list has no events from before yet. */
  const isFresh = useRef(true);

  const add = useCallback((added: readonly Entry[]) => {
    const keep = (before: readonly Entry[]): readonly Entry[] => [...added, ...before].slice(0, entriesMax);
    if (paused.current) setWaiting(keep);
    else setEntries(keep);
  }, []);
  const mark = useCallback(
    (kind: 'lost' | 'resumed' | 'gap') => {
      const at = new Date().toISOString();
      add([{ key: `${kind} ${at}`, mark: kind, at }]);
    },
    [add],
  );

  const canRead = accepted?.scopes.includes('plants:read') ?? false;
  // Before the next paint, so that a stream ends before another event of it arrives in the list of the next one.
  useLayoutEffect(() => {
    if (!canRead) return;
    const controller = new AbortController();
    setState('connecting');
    let isLost = last.current !== undefined && !isFresh.current;
    const start = async (): Promise<void> => {
      if (isFresh.current) {
        const first = await firstEvents(api).catch(() => []);
        if (controller.signal.aborted) return;
        isFresh.current = false;
        add(
          first
            .filter((event) => event.type === (type ?? event.type))
            .map(toEntry)
            .toReversed(),
        );
        last.current = first.at(-1)?.eventId ?? last.current;
      }
      await follow({
        token,
        type,
        after: last.current,
        signal: controller.signal,
        onEvent: (event) => {
          last.current = event.eventId;
          add([toEntry(event)]);
        },
        onOpen: ({ hasGap }) => {
          setState('live');
          setProblem(undefined);
          if (isLost) mark(hasGap ? 'gap' : 'resumed');
          isLost = false;
        },
        onLost: (lost, willRetry) => {
          setState(willRetry ? 'lost' : 'refused');
          setProblem(lost);
          if (!isLost) mark('lost');
          isLost = true;
        },
      });
    };
    void start();
    return () => controller.abort();
  }, [api, token, type, canRead, add, mark]);

  /** Shows what has arrived during the pause. */
  const release = useCallback(() => {
    setEntries((before) => [...waiting, ...before].slice(0, entriesMax));
    setWaiting([]);
  }, [waiting]);
  const clear = useCallback(() => {
    setEntries([]);
    setWaiting([]);
    isFresh.current = true;
  }, []);
  return { entries, waiting, state, problem, release, clear };
};

const toEntry = (event: LogEvent): Entry => ({ key: event.eventId, event });

/** All events of a short log. None of a long one. */
const firstEvents = async (api: Session['api']): Promise<readonly LogEvent[]> => {
  const { data, response } = await expect(api.events.get({ query: { limit: shortLog } }));
  return nextCursorOf(response) === undefined ? data : [];
};
