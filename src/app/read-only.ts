/**
 * The operations of a process that reads from a standby, none of them older than what their client has seen: it waits until its standby has
 * replayed the log up to the position in the request.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, standbyBehind } from '../base/app-error.ts';
import { parseEventId } from '../events/event.ts';
import { handlerOf, methodOf, type Operation, type Operations } from '../http/operation.ts';
import type { RequestHeaders } from '../http/parameters.ts';
import { t } from '../http/schema.ts';
import type { Store } from '../store/store.ts';
import type { Services } from './services.ts';

/** The operations of a process that only reads: those that change nothing, each from a state that its client may see. */
export const onlyReads = (operations: Operations): Operations =>
  Object.fromEntries(
    Object.entries(operations).flatMap(([operationId, operation]) =>
      methodOf(operation) === 'GET' ? [[operationId, withWait(operation)]] : [],
    ),
  );

const withWait = (operation: Operation): Operation => ({
  ...operation,
  parameters: {
    ...operation.parameters,
    headers: t.Object({ ...operation.parameters?.headers?.properties, ...minimum }),
  },
  failures: [...(operation.failures ?? []), standbyBehind],
  handler: (services: Services) => {
    const handle = handlerOf(operation, services);
    return async (input) => {
      await reach(services, positionOf(input.headers, input.query));
      return handle(input);
    };
  },
});

const minimum = {
  'X-Min-Log-Position': t.Optional(
    t.CanonicalInt64({
      description: `The \`X-Log-Position\` of a change, or the \`sequence\` of an event, that the response must include.`,
      examples: { demo: 1n },
      error: 'must be a position in the log',
    }),
  ),
};

/** A client that has the id of an event has seen the log up to there. */
const positionOf = (headers: RequestHeaders, query: Readonly<Record<string, unknown>> = {}): bigint => {
  const cursors = [query['after'], headers['last-event-id']].map((cursor) => parseEventId(`${cursor}`)?.sequence ?? 0n);
  const positions = [BigInt(headers['x-min-log-position'] ?? 0), ...cursors];
  return positions.reduce((highest, other) => (other > highest ? other : highest));
};

/** Resolves once the store has the log up to this sequence. Rejects with AppError `unavailable` if it does not within a short time. */
const reach = async ({ events, position }: Pick<Store, 'events' | 'position'>, sequence: bigint): Promise<void> => {
  const endsAtMs = performance.now() + waitMsMax;
  let head = position?.() ?? 0n;
  while (head < sequence) {
    head = await events.head();
    if (head >= sequence) return;
    if (performance.now() > endsAtMs) throw new AppError(standbyBehind);
    await sleep(pauseMs);
  }
};

/** @limit Requests | Wait of a read for the standby of its process | 503 */
const waitMsMax = 100;
const pauseMs = 1;
