/**
 * What is on its way to one webhook. A lane reads on in the log of events by itself, so it holds a few of them however many
 * wait; and what is slow or dead at one webhook stays in its lane.
 */
import { type Delivery, isSuccess, type Outcome, retryAfterMsMax } from '../domain/delivery.ts';
import type { PlantEvent, Sequenced } from '../domain/event.ts';

/** The largest number of attempts at one webhook at once. */
export const windowMax = 8;

/** After so many failures in a row a receiver counts as dead, and is tried once in a while however much waits for it. */
export const failuresInARowMax = 16;
const deadPauseMs = 1000;

export interface Lane {
  /** Attempts that are under way, or whose outcome is not on the disk yet, by the sequence of the event. */
  readonly inFlight: Set<bigint>;
  /** Those of them that are of new events, which have no delivery in the store yet. */
  readonly newInFlight: Set<bigint>;
  /** New events that were read and not begun. */
  readonly waiting: Sequenced<PlantEvent>[];
  /** The sequence up to which the log was read. */
  readTo: bigint;
  /** The position that the store knows. */
  recorded: bigint;
  /** How many attempts there may be at once: fewer after a failure, so that a receiver in trouble is not pressed. */
  window: number;
  /** How many attempts in a row have failed. */
  failures: number;
  /** Until then nothing is sent but what was asked for by hand. */
  pausedUntilMs: number;
}

export const createLane = (position: bigint): Lane => ({
  inFlight: new Set(),
  newInFlight: new Set(),
  waiting: [],
  readTo: position,
  recorded: position,
  window: windowMax,
  failures: 0,
  pausedUntilMs: 0,
});

export const begin = (lane: Lane, { event: { sequence } }: Delivery, isNew: boolean): void => {
  lane.inFlight.add(sequence);
  if (isNew) lane.newInFlight.add(sequence);
};

/** Adapts to what the receiver can take, and to what it asks for. */
export const learn = (lane: Lane, { attempt, retryAfterMs = 0 }: Outcome, nowMs: number): void => {
  const isGood = isSuccess(attempt);
  lane.window = isGood ? Math.min(windowMax, lane.window + 1) : Math.max(1, Math.floor(lane.window / 2));
  lane.failures = isGood ? 0 : lane.failures + 1;
  const restMs = lane.failures > failuresInARowMax ? deadPauseMs : 0;
  const pauseMs = Math.max(restMs, Math.min(retryAfterMs, retryAfterMsMax));
  lane.pausedUntilMs = Math.max(lane.pausedUntilMs, nowMs + pauseMs);
};

export const end = (lane: Lane, { event: { sequence } }: Delivery): void => {
  lane.inFlight.delete(sequence);
  lane.newInFlight.delete(sequence);
};

/** The position once these attempts are written down: every event up to it is sent or stands in the store. */
export const positionAfter = ({ newInFlight, waiting, readTo }: Lane, ended: ReadonlySet<bigint>): bigint => {
  const open = [...newInFlight].filter((sequence) => !ended.has(sequence));
  const next = waiting.slice(0, 1).map(({ sequence }) => sequence);
  return [...open, ...next].reduce((least, sequence) => (sequence <= least ? sequence - 1n : least), readTo);
};
