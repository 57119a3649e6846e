/**
 * What is on its way to one webhook. A lane reads on in the log of events by itself, so it holds a few of them however many
 * wait; and what is slow or dead at one webhook stays in its lane.
 */
import { isSuccess, type Outcome, pauseMsMax } from '../domain/delivery.ts';
import type { PlantEvent, Sequenced } from '../domain/event.ts';

/** The largest number of attempts at one webhook at once. */
export const windowMax = 8;

/** After so many failures in a row a receiver counts as dead, and is tried once in a while however much waits for it. */
export const failuresInARowMax = 16;
export const deadPauseMs = 1000;

export interface Lane {
  /** Attempts that are under way, or whose outcome is not on the disk yet, by the name of the event's place. */
  readonly inFlight: Set<string>;
  /** The sequences of those that are of new events, which have no delivery in the store yet. */
  readonly newInFlight: Set<bigint>;
  /** New events that were read and not begun. */
  readonly waiting: Sequenced<PlantEvent>[];
  /** The sequence up to which the log was read. */
  readTo: bigint;
  /** Whether the end of the log was reached; what is appended since has not been tried by anyone. */
  isCaughtUp: boolean;
  /** Whether the webhook is enabled. */
  isOpen: boolean;
  /** Whether there may be deliveries to try again now. */
  mayHaveDue: boolean;
  /** The position that the store knows. */
  recorded: bigint;
  /** How many attempts there may be at once. A receiver earns them by successes, and loses them by failures. */
  window: number;
  /** How many attempts in a row have failed. */
  failures: number;
  /** Until then nothing is sent but what was asked for by hand. */
  pausedUntilMs: number;
  /** When that was found. */
  pausedAtMs: number;
}

export const createLane = (position: bigint): Lane => ({
  inFlight: new Set(),
  newInFlight: new Set(),
  waiting: [],
  readTo: position,
  isCaughtUp: false,
  isOpen: true,
  mayHaveDue: true,
  recorded: position,
  window: 1,
  failures: 0,
  pausedUntilMs: 0,
  pausedAtMs: 0,
});

/** Adapts to what the receiver can take, and to what it asks for. */
export const adapt = (lane: Lane, { attempt, retryAfterMs = 0 }: Outcome, nowMs: number): void => {
  const isGood = isSuccess(attempt);
  lane.window = isGood ? Math.min(windowMax, lane.window + 1) : Math.max(1, Math.floor(lane.window / 2));
  lane.failures = isGood ? 0 : lane.failures + 1;
  const restMs = lane.failures > failuresInARowMax ? deadPauseMs : 0;
  const pauseMs = Math.max(restMs, Math.min(retryAfterMs, pauseMsMax));
  if (nowMs + pauseMs > lane.pausedUntilMs) {
    lane.pausedAtMs = nowMs;
    lane.pausedUntilMs = nowMs + pauseMs;
  }
  // It takes something again; what began before it asked for the pause says nothing.
  if (isGood && nowMs - attempt.durationMs > lane.pausedAtMs) lane.pausedUntilMs = nowMs;
};

/** Forgets what was read and not begun. What is under way comes to its end; the rest is read again when the lane opens. */
export const close = (lane: Lane): void => {
  lane.readTo = positionAfter(lane, new Set());
  lane.waiting.length = 0;
  lane.isCaughtUp = false;
  lane.isOpen = false;
};

/** The position once these attempts are written down: every event up to it is sent or stands in the store. */
export const positionAfter = ({ newInFlight, waiting, readTo }: Lane, ended: ReadonlySet<bigint>): bigint => {
  const open = [...newInFlight].filter((sequence) => !ended.has(sequence));
  const next = waiting.slice(0, 1).map(({ sequence }) => sequence);
  return [...open, ...next].reduce((least, sequence) => (sequence <= least ? sequence - 1n : least), readTo);
};
