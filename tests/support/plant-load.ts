/**
 * Clients that create, read, change and remove plants and their pictures until they are stopped, and record every response. A change with
 * 50301 may have taken effect at any later time, or never. A change with 50300 must have changed nothing, so it is not part
 * of the history of its plant.
 */
import { isLinearizable, type Operation } from '../faults/support/linearizable.ts';
import { createChooser, type Intent, readAnswer, requestOf } from './plant-requests.ts';
import { until } from './until.ts';

/** Sends a request to the service. */
export type Send = (
  method: string,
  path: string,
  options: {
    readonly headers: Record<string, string>;
    readonly body?: string | Uint8Array<ArrayBuffer>;
    readonly signal?: AbortSignal;
  },
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
  const counts = new Map<number | 'given up', number>();
  const faults: string[] = [];
  let [acknowledged, slowestMs, isOver] = [0, 0, false];
  const { choose, noteVersion, noteRepeated } = createChooser(random);
  const chooseNext = (): Intent => choose(1 + Math.floor(plants * random()));

  /** Sends a request and records its response. Resolves to whether it must be repeated. */
  const ask = async (intent: Intent): Promise<boolean> => {
    const { id, method, name, condition } = intent;
    const isRead = method.startsWith('GET');
    const isGivenUp = repeats && !isRead && random() < givenUpShare;
    const signal = isGivenUp ? AbortSignal.timeout(givenUpMsMax * random()) : undefined;
    const sentAt = performance.now();
    const record = (answer: Pick<Operation, 'answeredAt' | 'status' | 'seen'>): void => {
      const history = histories.get(id) ?? [];
      histories.set(id, history);
      history.push({ method, ...(name !== undefined && { name }), ifMatch: condition?.state, sentAt, ...answer });
    };
    const recordUnknown = (): void => {
      record({ answeredAt: Number.POSITIVE_INFINITY });
      if (repeats && name !== undefined) noteRepeated(name);
    };
    try {
      const { method: verb, path, ...request } = requestOf(intent);
      const response = await send(verb, path, { ...request, ...(signal && { signal }) });
      const { error, seen, version, text } = await readAnswer(method, response);
      const answeredAt = performance.now();
      slowestMs = Math.max(slowestMs, answeredAt - sentAt);
      onResponse?.({ fromMs: sentAt, toMs: answeredAt });
      const { status } = response;
      const number = error ?? status;
      counts.set(number, (counts.get(number) ?? 0) + 1);
      if (number === 50301) recordUnknown();
      else if (status < 500) record({ answeredAt, status, ...(seen !== undefined && { seen }) });
      else if (number !== 50300) faults.push(`${method} got status ${status}: ${text}`);
      if (!isRead && status < 300) acknowledged += 1;
      if (version) noteVersion(id, version);
      return repeats && status === 503;
    } catch (error) {
      if (!signal?.aborted) throw error;
      counts.set('given up', (counts.get('given up') ?? 0) + 1);
      recordUnknown();
      return true;
    }
  };

  const work = async (): Promise<void> => {
    for (let intent = chooseNext(); !isOver; ) {
      const isAgain = await ask(intent).catch((error) => void faults.push(`A request failed: ${error}`));
      await Bun.sleep(pauseMs);
      if (!isAgain) intent = chooseNext();
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
      for (const id of histories.keys())
        for (const method of ['GET', 'GET picture'] as const) await ask({ id, method });
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

/** Resolves once this number of further changes was acknowledged. */
export const untilAcknowledged = (load: Load, more: number): Promise<void> => {
  const before = load.acknowledged();
  return until(() => load.acknowledged() >= before + more);
};
