/**
 * The events of the log as they happen. A browser has six connections to a service, so the visible tabs with one token share one stream: that
 * of the tab that holds the lock, which passes the events on. A hidden tab has none, and reads what it has missed when it is shown again.
 */
import type { Api } from '../api/api.ts';
import { expect, nextCursorOf } from '../api/client.ts';
import { asProblem, type Problem } from '../api/problem.ts';
import { createStore, type Store } from '../parts/store.ts';
import type { LogEvent } from './event.ts';
import { follow } from './follow.ts';
import { placeOf } from './order.ts';

export interface FeedState {
  readonly kind: 'connecting' | 'live' | 'lost' | 'refused';
  readonly problem?: Problem | undefined;
}

/** Events in their order in the log. */
export type OnEvents = (events: readonly LogEvent[]) => void;

export interface Feed {
  readonly state: Store<FeedState>;
  /** `onGap` is called when the service has removed events that were not seen. Returns what ends the subscription. */
  subscribe(onEvents: OnEvents, onGap?: () => void): () => void;
  /** Passes on at once what has arrived. */
  flush(): void;
  close(): void;
}

/** Events arrive faster than a page can show them one by one, such as those of an import. They are passed on together, ten times a second. */
const everyMs = 100;

interface FeedOptions {
  readonly api: Api;
  readonly token: string;
  /** The event with this id is the last one that the views know already. */
  readonly after: string | undefined;
}

/** What a tab tells the others. */
type Message =
  | { readonly kind: 'event'; readonly event: LogEvent }
  | { readonly kind: 'state'; readonly state: FeedState['kind'] }
  | { readonly kind: 'gap' | 'hello' };

export const createFeed = ({ api, token, after }: FeedOptions): Feed => {
  const state = createStore<FeedState>({ kind: 'connecting' });
  const listeners = new Set<{ onEvents: OnEvents; onGap: () => void }>();
  let arrived: LogEvent[] = [];
  const closed = new AbortController();
  let shown = new AbortController();
  let channel: BroadcastChannel | undefined;
  let isLeader = false;
  let last: LogEvent | undefined;
  /** The id of the event before all of the feed. Undefined after a gap. */
  let origin = after;
  let catchingUp: Promise<void> = Promise.resolve();

  const post = (message: Message): void => channel?.postMessage(message);
  const flush = (): void => {
    const events = arrived;
    arrived = [];
    if (events.length > 0) for (const { onEvents } of listeners) onEvents(events);
  };
  const show = (next: FeedState): void => {
    flush();
    state.update(() => next);
  };
  const setState = (next: FeedState): void => {
    show(next);
    post({ kind: 'state', state: next.kind });
  };
  /** The id of the event after which the feed continues. Undefined after a gap, until the next event. */
  const position = (): string | undefined => last?.eventId ?? origin;
  const tellGap = (): void => {
    flush();
    [last, origin] = [undefined, undefined];
    for (const { onGap } of listeners) onGap();
  };
  const deliver = (event: LogEvent): void => {
    last = event;
    if (arrived.length === 0) setTimeout(flush, everyMs);
    arrived.push(event);
  };
  const accept = (event: LogEvent): void => {
    const isFirst = last === undefined && origin !== undefined;
    const place = isFirst ? 'later' : placeOf(last?.sequence, event.sequence);
    if (place === 'next') deliver(event);
    else if (place === 'later') catchUp();
  };
  /** Reads what was missed. One after the other, since each continues after the last event of the one before. */
  const catchUp = (): Promise<void> => {
    catchingUp = catchingUp.then(async () => {
      try {
        for (let from = position(); from !== undefined; ) {
          const { data, response } = await expect(api.events.get({ query: { after: from, limit: pageSize } }));
          for (const event of data) if (placeOf(last?.sequence, event.sequence) !== 'known') deliver(event);
          from = nextCursorOf(response) === undefined ? undefined : position();
        }
      } catch (error) {
        // Of another problem, the stream tells.
        if (asProblem(error).status === 410) tellGap();
      }
    });
    return catchingUp;
  };

  const lead = (signal: AbortSignal): Promise<void> => {
    isLeader = true;
    return follow({
      token,
      after: position(),
      signal,
      onEvent: (event) => {
        if (placeOf(last?.sequence, event.sequence) !== 'known') deliver(event);
        post({ kind: 'event', event });
      },
      onOpen: ({ hasGap }) => {
        if (hasGap) {
          tellGap();
          post({ kind: 'gap' });
        }
        setState({ kind: 'live' });
      },
      onLost: (problem, willRetry) => setState({ kind: willRetry ? 'lost' : 'refused', problem }),
    }).finally(() => {
      isLeader = false;
    });
  };
  const start = async (name: string | undefined): Promise<void> => {
    const { signal } = shown;
    await catchUp();
    if (signal.aborted) return;
    if (name === undefined) return lead(signal);
    post({ kind: 'hello' });
    // It rejects when the tab is hidden while it waits.
    await navigator.locks.request(name, { signal }, () => (signal.aborted ? undefined : lead(signal))).catch(() => {});
  };
  const listen = (name: string): void => {
    channel = new BroadcastChannel(name);
    channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
      if (message.kind === 'event') accept(message.event);
      else if (message.kind === 'gap') tellGap();
      else if (message.kind === 'state' && !isLeader) show({ kind: message.state });
      else if (message.kind === 'hello' && isLeader) post({ kind: 'state', state: state.get().kind });
    };
  };
  const open = async (): Promise<void> => {
    const name = await nameFor(token);
    if (closed.signal.aborted) return;
    if (name !== undefined) listen(name);
    const onVisibility = (): void => {
      shown.abort();
      if (document.hidden || closed.signal.aborted) return;
      shown = new AbortController();
      void start(name);
    };
    document.addEventListener('visibilitychange', onVisibility, { signal: closed.signal });
    onVisibility();
  };
  void open();

  return {
    state,
    subscribe: (onEvents, onGap = () => {}) => {
      const listener = { onEvents, onGap };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    flush,
    close: () => {
      closed.abort();
      shown.abort();
      channel?.close();
    },
  };
};

const pageSize = 500;

/**
 * The name of the lock and the channel, which only tabs with this token have. Undefined where the browser has no locks, which is without HTTPS
 * on another host than localhost: then each visible tab has its own stream.
 */
const nameFor = async (token: string): Promise<string | undefined> => {
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return undefined;
  const path = new URL('.', location.href).pathname;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return `plant-store ${path} ${[...new Uint8Array(digest)].join('.')}`;
};
