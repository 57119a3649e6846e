/**
 * Reads from a standby that are not older than what their client has seen. A log position is a sequence: the response to a change has
 * one that includes it, and a process that only reads waits until its standby has replayed the log up to the position in the request.
 * The log is in commit order and without gaps, so the state of the standby then includes all changes up to there.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, standbyBehind } from '../base/app-error.ts';
import { parseEventId } from '../events/event.ts';
import type { Store } from '../store/store.ts';
import { methodOf, type Operation, type Operations } from './operation.ts';
import type { RequestHeaders } from './parameters.ts';
import { t } from './schema.ts';

/** The header of the response to a change. None if no other process can be behind. */
export const positionIn = ({ position }: Store): Record<string, string> =>
  position ? { 'x-log-position': `${position()}` } : {};

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
  handler: (services) => {
    const handle = operation.handler(services);
    return async (input) => {
      await reach(services.store, positionOf(input.headers, input.query));
      return handle(input);
    };
  },
});

const minimum = {
  'X-Min-Log-Position': t.Optional(
    t.CanonicalInt64({
      description: `The \`X-Log-Position\` of a change, or the \`sequence\` of an event, that the response must include.`,
      examples: { demo: 1n },
      error: 'The header X-Min-Log-Position must be a position in the log.',
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
const reach = async ({ events, position }: Store, sequence: bigint): Promise<void> => {
  const endsAtMs = performance.now() + waitMsMax;
  for (let head = position?.() ?? 0n; head < sequence; ) {
    head = await events.head();
    if (head >= sequence) return;
    if (performance.now() > endsAtMs) throw new AppError(standbyBehind);
    await sleep(pauseMs);
  }
};

/** @limit Requests | Wait of a read for the standby of its process | 503 */
const waitMsMax = 100;
const pauseMs = 1;
