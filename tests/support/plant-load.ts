/**
 * Clients that create, read, change and remove plants until they are stopped, and record every response. A change with 50301 may
 * have taken effect at any later time, or never. A change with 50300 must have changed nothing, so it is not part
 * of the history of its plant.
 */
import { isLinearizable, type Operation } from '../faults/support/linearizable.ts';
import { until } from './until.ts';

/** Sends a request to the service. */
export type Send = (
  method: string,
  path: string,
  options: { readonly headers: Record<string, string>; readonly body?: string; readonly signal?: AbortSignal },
) => Promise<Response>;

/** Sends each request to the next of these servers, with these headers and its own. */
export const sendInTurn = (urls: readonly string[], common: Readonly<Record<string, string>>): Send => {
  let requests = 0;
  return (method, path, { headers, ...rest }) => {
    requests += 1;
    const url = urls[requests % urls.length];
    return fetch(url + path, { method, headers: { ...common, ...headers }, ...rest });
  };
};

/** Use with `await using`, so that it ends with its test. */
export interface Load extends AsyncDisposable {
  /** How many responses had this status, or this error number, and how many requests were given up. */
  count(answer: number | 'given up'): number;
  /** How many changes were acknowledged. */
  acknowledged(): number;
  /** The longest response time so far. */
  slowestMs(): number;
  /** Resolves when all requests have a response, and the plants are read a last time. */
  stop(): Promise<void>;
  /** The plants with responses that no order of the requests explains, by id. Call this after `stop`. */
  unexplained(): ReadonlyMap<number, readonly Operation[]>;
  /** The wrong responses, in sentences, and the plants above. */
  faults(): string[];
}

export interface LoadOptions {
  readonly clients?: number;
  /** How many plants there may be. */
  readonly plants?: number;
  readonly random?: () => number;
  /** How long each client waits between a response and its next request. */
  readonly pauseMs?: number;
  /**
   * Whether clients give up some requests before the response, and repeat a request after they gave it up or got 503.
   * Default: false.
   */
  readonly repeats?: boolean;
  /** Is called with the time of each request that got a response, by `performance.now()`. */
  readonly onResponse?: (time: { readonly fromMs: number; readonly toMs: number }) => void;
}

export const startLoad = (
  send: Send,
  { clients = 16, plants = 200, random = Math.random, pauseMs = 50, repeats = false, onResponse }: LoadOptions = {},
): Load => {
  const histories = new Map<number, Operation[]>();
  const versions = new Map<number, { readonly name: string; readonly etag: string }>();
  /** Names that were repeated after they may have taken effect: a plant may have had such a name twice. */
  const ambiguous = new Set<string>();
  const counts = new Map<number | 'given up', number>();
  const faults: string[] = [];
  let [names, acknowledged, slowestMs, isOver] = [0, 0, 0, false];

  const choose = (): Intent => {
    const id = 1 + Math.floor(plants * random());
    const which = random();
    if (which < 0.2) return { id, method: 'GET' };
    names += 1;
    const name = `n${names}`;
    if (which < 0.55) return { id, method: 'POST', name };
    const version = versions.get(id);
    const condition = version && !ambiguous.has(version.name) && random() < 0.6 ? version : undefined;
    return which < 0.85 ? { id, method: 'PATCH', name, condition } : { id, method: 'DELETE', condition };
  };

  /** Sends a request and records its response. Resolves to whether it must be repeated. */
  const ask = async ({ id, method, name, condition }: Intent): Promise<boolean> => {
    const isGivenUp = repeats && method !== 'GET' && random() < givenUpShare;
    const signal = isGivenUp ? AbortSignal.timeout(givenUpMsMax * random()) : undefined;
    const sentAt = performance.now();
    const record = (answer: Pick<Operation, 'answeredAt' | 'status' | 'seen'>): void => {
      const history = histories.get(id) ?? [];
      histories.set(id, history);
      history.push({ method, ...(name !== undefined && { name }), ifMatch: condition?.name, sentAt, ...answer });
    };
    const recordUnknown = (): void => {
      record({ answeredAt: Number.POSITIVE_INFINITY });
      if (repeats && name !== undefined) ambiguous.add(name);
    };
    try {
      const response = await send(method, method === 'POST' ? '/plants' : `/plants/${id}`, {
        headers: { 'content-type': 'application/json', ...(condition && { 'if-match': condition.etag }) },
        ...(name !== undefined && { body: JSON.stringify(method === 'POST' ? { id, name } : { name }) }),
        ...(signal && { signal }),
      });
      const text = await response.text();
      const answeredAt = performance.now();
      slowestMs = Math.max(slowestMs, answeredAt - sentAt);
      onResponse?.({ fromMs: sentAt, toMs: answeredAt });
      const { status } = response;
      const answer: { name?: string; error?: number } = text === '' ? {} : JSON.parse(text);
      const number = answer.error ?? status;
      counts.set(number, (counts.get(number) ?? 0) + 1);
      if (number === 50301) recordUnknown();
      else if (status < 500)
        record({ answeredAt, status, ...(status === 200 && answer.name !== undefined && { seen: answer.name }) });
      else if (number !== 50300) faults.push(`${method} got status ${status}: ${text}`);
      if (method !== 'GET' && status < 300) acknowledged += 1;
      const etag = response.headers.get('etag');
      if (etag !== null && answer.name !== undefined) versions.set(id, { name: answer.name, etag });
      return repeats && status === 503;
    } catch (error) {
      if (!signal?.aborted) throw error;
      counts.set('given up', (counts.get('given up') ?? 0) + 1);
      recordUnknown();
      return true;
    }
  };

  const work = async (): Promise<void> => {
    for (let intent = choose(); !isOver; ) {
      const isAgain = await ask(intent).catch((error) => void faults.push(`A request failed: ${error}`));
      await Bun.sleep(pauseMs);
      if (!isAgain) intent = choose();
    }
  };
  const unexplained = () => new Map([...histories].filter(([, history]) => !isLinearizable(history)));
  const working = Promise.all(Array.from({ length: clients }, work));

  return {
    count: (answer) => counts.get(answer) ?? 0,
    acknowledged: () => acknowledged,
    slowestMs: () => slowestMs,
    stop: async () => {
      isOver = true;
      await working;
      for (const id of histories.keys()) await ask({ id, method: 'GET' });
    },
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await working;
    },
    unexplained,
    faults: () => [
      ...faults,
      ...[...unexplained()].map(
        ([id, history]) => `No order explains the responses about plant ${id}: ${JSON.stringify(history)}`,
      ),
    ],
  };
};

/** The share of the changes that a client may give up and repeat, and the maximum time before that. */
const givenUpShare = 0.2;
const givenUpMsMax = 3000;

interface Intent {
  readonly id: number;
  readonly method: Operation['method'];
  readonly name?: string;
  readonly condition?: { readonly name: string; readonly etag: string } | undefined;
}

/** Resolves once this number of further changes was acknowledged. */
export const untilAcknowledged = (load: Load, more: number): Promise<void> => {
  const before = load.acknowledged();
  return until(() => load.acknowledged() >= before + more);
};
