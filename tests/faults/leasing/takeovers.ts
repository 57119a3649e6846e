/**
 * The messages of a webhook when the process that sends them is killed, paused or stopped, as seen by the receiver:
 * the sender of each message, the time without a sender, and the duplicates.
 */
import { messageIdOf } from '../../support/webhooks/delivery-audit.ts';
import type { Received } from '../../support/webhooks/receiver.ts';
import type { Verdict } from '../support/verdict.ts';
import type { Fault } from './fleet.ts';
import type { Tenure } from './lease-table.ts';

export const senderOf = ({ headers }: Received): string => headers['x-sender'] ?? '';

export interface Duplicates {
  /** For each fault, how many messages arrived twice because they were in flight. */
  readonly byFault: ReadonlyMap<Fault, number>;
  /** The duplicates without such a reason, each with all its arrivals. */
  readonly unexplained: readonly (readonly Received[])[];
}

/** Longer than the time from the claim of a message to its record on a quiet machine. After that, a message is not in flight. */
const inFlightMsMax = 2000;

/** By the wall clock. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Finds the reason of each duplicate at one webhook: its sender was killed or paused while it was in flight. A clean stop is no
 * reason. Each fault explains as many duplicates of a message as it left arrivals without a record.
 */
export const explainDuplicates = (
  received: readonly Received[],
  faults: readonly Fault[],
  timesOwed: (id: string) => number,
  countMs: Verdict['count'],
): Duplicates => {
  const byFault = new Map<Fault, number>();
  const unexplained: Received[][] = [];
  for (const [id, arrivals] of Map.groupBy(received, messageIdOf)) {
    const surplus = Math.max(0, arrivals.length - timesOwed(id));
    if (surplus === 0) continue;
    const reasons = arrivals
      .flatMap((one) => faults.find((fault) => wasInFlight(one, fault, countMs)) ?? [])
      .slice(0, surplus);
    for (const fault of reasons) byFault.set(fault, (byFault.get(fault) ?? 0) + 1);
    if (reasons.length < surplus) unexplained.push(arrivals);
  }
  return { byFault, unexplained };
};

const wasInFlight = (
  one: Received,
  { kind, sender, atMs, continuedAtMs = atMs }: Fault,
  countMs: Verdict['count'],
): boolean =>
  kind !== 'stop' &&
  senderOf(one) === sender &&
  isSoon(one.atMs, atMs, countMs) &&
  isSoon(continuedAtMs, one.atMs, countMs);

/** Whether the second time is before the first, or not long after it. */
const isSoon = (atMs: number, laterMs: number, countMs: Verdict['count']): boolean =>
  laterMs - atMs < inFlightMsMax ||
  countMs({ fromMs: atMs - performance.timeOrigin, toMs: laterMs - performance.timeOrigin }) < inFlightMsMax;

/**
 * How long no process sent to the webhook after the fault, by its arrivals. After a clean stop it counts from the last message of the
 * process, which finishes its attempts in flight. Absent when another process sent then.
 */
export const silenceOf = (
  received: readonly Received[],
  fault: Fault,
  faults: readonly Fault[],
): Period | undefined => {
  const { kind, sender, atMs, continuedAtMs = Number.POSITIVE_INFINITY } = fault;
  const isOwn = (one: Received): boolean => senderOf(one) === sender;
  const before = received.findLast((one) => one.atMs <= atMs);
  if (!before || !isOwn(before)) return undefined;
  const next = received.find((one) => one.atMs > atMs && (!isOwn(one) || one.atMs > continuedAtMs));
  if (!next) return { fromMs: atMs, toMs: Number.POSITIVE_INFINITY };
  const lastMs = received.findLast(isOwn)?.atMs ?? 0;
  return { fromMs: kind === 'stop' ? Math.max(atMs, lastMs) : lastLossMs(fault, faults, next.atMs), toMs: next.atMs };
};

/**
 * How long the lease of the webhook had no living owner after the fault, by the tenures of this webhook. After a clean stop it
 * counts from the release. Absent if the same owner still has it.
 */
export const vacancyOf = (tenures: readonly Tenure[], { kind, atMs }: Fault): Period | undefined => {
  const before = tenures.findLast((one) => one.atMs <= atMs);
  const later = tenures.filter((one) => one.atMs > atMs);
  const next = later.find(({ owner, epoch }) => owner !== null && epoch !== before?.epoch);
  if (!next) return undefined;
  const [first = next] = later;
  const releasedMs = first.owner === null ? first.atMs : atMs;
  return { fromMs: kind === 'stop' ? releasedMs : atMs, toMs: next.atMs };
};

/** The time of the last fault before another process sent: a process may have the lease for a moment, and fail before it sends. */
const lastLossMs = ({ atMs }: Fault, faults: readonly Fault[], endedAtMs: number): number =>
  faults
    .filter(({ kind, atMs: otherMs }) => kind !== 'stop' && otherMs > atMs && otherMs < endedAtMs)
    .reduce((last, other) => Math.max(last, other.atMs), atMs);
