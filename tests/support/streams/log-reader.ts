import { setTimeout as sleep } from 'node:timers/promises';

/** A server, and the headers of a client that may read its log. */
export interface LogSource {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An event in a response of the service. */
export interface LoggedEvent {
  readonly eventId: string;
  readonly sequence: number;
  readonly type: string;
  /** The id of the plant. */
  readonly id: number;
}

export interface LogReader {
  /** The events so far, in the order of the responses. */
  readonly events: readonly LoggedEvent[];
  /** How many pages had more events behind them. */
  fullPages(): number;
  /** How often the end of the log was reached. */
  visitsToEnd(): number;
  /** Resolves once the reader has every event that existed at the call. Rejects with the reader's first error. */
  stop(): Promise<void>;
}

/** Reads the log from its beginning as a client does: page after page, and again from the last event once it has reached the end. */
export const followLog = (source: LogSource): LogReader => {
  const events: LoggedEvent[] = [];
  let [fullPages, visitsToEnd, isOver] = [0, 0, false];
  const follow = async (): Promise<void> => {
    for (let isLast = false; !isLast; ) {
      // Events committed before the reader was stopped are in this page or in a later one.
      const wasOver = isOver;
      const page = await readPage(source, events.at(-1)?.eventId);
      events.push(...page.events);
      if (page.hasMore) fullPages += 1;
      else visitsToEnd += 1;
      isLast = wasOver && !page.hasMore;
      if (!page.hasMore && !isLast) await sleep(pollMs);
    }
  };
  const following = follow();
  following.catch(() => {});
  return {
    events,
    fullPages: () => fullPages,
    visitsToEnd: () => visitsToEnd,
    stop: () => {
      isOver = true;
      return following;
    },
  };
};

/** Reads the whole log. */
export const readLog = async (source: LogSource): Promise<readonly LoggedEvent[]> => {
  const reader = followLog(source);
  await reader.stop();
  return reader.events;
};

const readPage = async ({ url, headers }: LogSource, after: string | undefined) => {
  const cursor = after === undefined ? '' : `&after=${after}`;
  for (;;) {
    const response = await fetch(`${url}/events?limit=${limit}${cursor}`, { headers });
    const text = await response.text();
    if (response.ok) {
      const events: LoggedEvent[] = JSON.parse(text);
      return { events, hasMore: response.headers.has('link') };
    }
    if (response.status !== 503) throw new Error(`GET /events got status ${response.status}: ${text}`);
    await sleep(pollMs);
  }
};

const limit = 1000;
const pollMs = 5;
