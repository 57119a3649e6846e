/**
 * Whether the responses about one plant are linearizable: there is an order of the requests in which each takes
 * effect at one moment between its request and its response (Wing and Gong 1993, with the
 * cached states of Lowe 2017). A request without a response may have taken effect at any later time, or never.
 *
 * Each name is used once, so it also identifies the version of the plant.
 */
export interface Operation {
  readonly method: 'POST' | 'GET' | 'PATCH' | 'DELETE';
  /** The name that POST or PATCH sets. */
  readonly name?: string;
  /** The name of the version in `If-Match`. */
  readonly ifMatch?: string | undefined;
  /** Absent if there was no response. */
  readonly status?: number;
  /** The name in the response, if it has one. */
  readonly seen?: string;
  readonly sentAt: number;
  /** Infinity if there was no response. */
  readonly answeredAt: number;
}

/** The name of the plant. Absent if the plant does not exist. */
type State = string | undefined;

export const isLinearizable = (history: readonly Operation[]): boolean => {
  const operations = history.toSorted((one, other) => one.sentAt - other.sentAt);
  const bits = operations.map((_, index) => 1n << BigInt(index));
  const answered = operations.reduce((all, { status }, index) => (status === undefined ? all : all | bit(index)), 0n);
  const known = new Set<string>();
  const stack: { readonly done: bigint; readonly state: State }[] = [{ done: 0n, state: undefined }];

  function bit(index: number): bigint {
    return bits[index] ?? 0n;
  }

  for (let step = stack.pop(); step; step = stack.pop()) {
    const { done, state } = step;
    if ((done & answered) === answered) return true;
    const key = `${done} ${state}`;
    if (known.has(key)) continue;
    known.add(key);
    const left = operations.flatMap((operation, index) => ((done & bit(index)) === 0n ? [{ operation, index }] : []));
    const firstAnswerAt = Math.min(...left.map(({ operation }) => operation.answeredAt));
    const next = left.filter(({ operation }) => operation.sentAt <= firstAnswerAt);
    for (const { operation, index } of next.reverse()) {
      for (const after of statesAfter(state, operation)) stack.push({ done: done | bit(index), state: after });
    }
  }
  return false;
};

/** The possible states after the operation if it takes effect now; none if its response does not match. */
const statesAfter = (state: State, operation: Operation): readonly State[] => {
  const [status, after] = answerTo(state, operation);
  if (operation.status === undefined) return [after];
  if (operation.status !== status) return [];
  // The response has the plant at that moment.
  return status === 200 && operation.seen !== after ? [] : [after];
};

/** The response of the service, and the state after it. */
const answerTo = (state: State, { method, name, ifMatch }: Operation): [status: number, after: State] => {
  if (method === 'POST') return state === undefined || state === name ? [200, name] : [409, state];
  if (state === undefined) return [404, state];
  if (method === 'GET') return [200, state];
  if (ifMatch !== undefined && ifMatch !== state) return [412, state];
  return method === 'PATCH' ? [200, name] : [204, undefined];
};
