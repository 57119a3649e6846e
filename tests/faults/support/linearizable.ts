/**
 * Whether the responses about one plant are linearizable: there is an order of the requests in which each takes
 * effect at one moment between its request and its response (Wing and Gong 1993, with the
 * cached states of Lowe 2017). A request without a response may have taken effect at any later time, or never.
 *
 * Each name and each picture is used once, so they also identify the version of the plant.
 */
export interface Operation {
  readonly method: 'POST' | 'GET' | 'PATCH' | 'DELETE' | PictureMethod;
  /** The name that POST or PATCH sets, or the digest of the picture that PUT sends. */
  readonly name?: string;
  /** The version in `If-Match`, as `State` has it. */
  readonly ifMatch?: string | undefined;
  /** Absent if there was no response. */
  readonly status?: number;
  /** The plant in the response, as `State` has it, or the digest of the bytes of its picture. That to POST has no picture. */
  readonly seen?: string;
  readonly sentAt: number;
  /** Infinity if there was no response. */
  readonly answeredAt: number;
}

export type PictureMethod = 'PUT picture' | 'GET picture' | 'DELETE picture';

/** The name of the plant, and after a space the digest of its picture if it has one. Absent if the plant does not exist. */
export type State = string | undefined;

export const stateOf = (name: string, digest?: string): string => (digest === undefined ? name : `${name} ${digest}`);

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
  const [status, after, body] = answerTo(state, operation);
  if (operation.status === undefined) return [after];
  if (operation.status !== status) return [];
  // The response has the plant at that moment, or its picture.
  return status === 200 && operation.seen !== body ? [] : [after];
};

/** The response of the service, the state after it, and what the response has of it. */
const answerTo = (
  state: State,
  { method, name = '', ifMatch }: Operation,
): [status: number, after: State, body?: State] => {
  if (method === 'POST' && state === undefined) return [200, name, name];
  if (state === undefined) return [404, state];
  const [current = '', picture] = state.split(' ');
  if (method === 'POST') return current === name ? [200, state, current] : [409, state];
  if (method === 'GET') return [200, state, state];
  if (method === 'PUT picture') return [picture === undefined ? 201 : 204, stateOf(current, name)];
  if (picture === undefined && method.endsWith('picture')) return [404, state];
  if (method === 'GET picture') return [200, state, picture];
  if (method === 'DELETE picture') return [204, current];
  if (ifMatch !== undefined && ifMatch !== state) return [412, state];
  const patched = stateOf(name, picture);
  return method === 'PATCH' ? [200, patched, patched] : [204, undefined];
};
