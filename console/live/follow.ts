/**
 * Follows the live log. `EventSource` cannot send a token, so this reads the stream of `fetch`. After a lost connection it continues with the
 * id of the last event, so no event is missed: unless the service has removed it meanwhile.
 */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { baseUrl, patientFetch, pause } from '../api/client.ts';
import { readJson } from '../api/json.ts';
import { Problem, problemOf } from '../api/problem.ts';
import type { LogEvent } from './event.ts';

export interface Follower {
  onEvent(event: LogEvent): void;
  /** At the start, and when a connection is back. With `hasGap`, the service had removed events that were not seen. */
  onOpen(change: { readonly hasGap: boolean }): void;
  /** A connection was lost, or could not be made. `willRetry` is false for a token that is refused. */
  onLost(problem: Problem, willRetry: boolean): void;
}

interface FollowOptions extends Follower {
  readonly token: string;
  /** The stream begins after the event with this id. Without one, it begins with the next event. */
  readonly after: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The id of the newest event. What a client reads after this, and the stream after this event, have all changes. Undefined if there is no
 * answer, such as from a proxy that blocks the log: then only the changes after the beginning of the stream are known.
 */
export const readPosition = async (token: string): Promise<string | undefined> => {
  const request = patientFetch(`${baseUrl}/events`, { method: 'HEAD', headers: headersOf(token) });
  const response = await request.catch(() => undefined);
  return response?.headers.get('last-event-id') ?? undefined;
};

export const follow = async ({ token, after, signal, onEvent, onOpen, onLost }: FollowOptions): Promise<void> => {
  let last = after;
  let hasGap = false;
  for (let failures = 0; !signal.aborted; ) {
    try {
      const body = await open();
      failures = 0;
      onOpen({ hasGap });
      hasGap = false;
      for (let next = await body.read(); !next.done; next = await body.read()) {
        last = next.value.id ?? last;
        onEvent(readEvent(next.value.data));
      }
      throw new Problem({ status: 0 });
    } catch (error) {
      if (signal.aborted) return;
      const problem = asLost(error);
      if (problem.status === 410) {
        last = undefined;
        hasGap = true;
        continue;
      }
      const willRetry = problem.status === 0 || problem.isTemporary || problem.status >= 500;
      onLost(problem, willRetry);
      if (!willRetry) return;
      await pause(Math.min(500 * 2 ** failures, retryMsMax), signal);
      failures += 1;
    }
  }

  async function open() {
    const headers = { ...headersOf(token), ...(last !== undefined && { 'last-event-id': last }) };
    const silent = new AbortController();
    const ended = AbortSignal.any([signal, silent.signal]);
    const response = await fetch(`${baseUrl}/events`, { headers, signal: ended, cache: 'no-store' });
    if (!response.ok || !response.body) throw problemOf(response, await response.json().catch(() => undefined));
    // The position at which the stream begins, also if no event arrives.
    last = response.headers.get('last-event-id') ?? last;
    return response.body
      .pipeThrough(watchSilence(() => silent.abort()))
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader();
  }
};

const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, accept: 'text/event-stream' });

const retryMsMax = 5000;

/** `fetch` and a body reject with a TypeError when the connection is lost. */
const asLost = (error: unknown): Problem => (error instanceof Problem ? error : new Problem({ status: 0 }));

/** The chunks of a stream. Aborts it when nothing has arrived for `silenceMsMax`: its connection is lost, and nobody has said so. */
const watchSilence = (onSilence: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onSilence, silenceMsMax);
  };
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    start: restart,
    transform: (chunk, controller) => {
      restart();
      controller.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
  });
};

/** Three of the comments that the service sends every 15 seconds. */
const silenceMsMax = 45_000;

const readEvent = (json: string): LogEvent => readJson(json) as LogEvent;
