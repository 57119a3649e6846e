/** The messages of a scene: the missing ones, the duplicates and their reasons, and the time without a sender. */
import { attemptsInFlightMax } from '../../../src/sender/share.ts';
import { concurrencyMax } from '../../../src/sender/throttle.ts';
import { promisedMs } from '../../support/promised.ts';
import { auditDeliveries, messageIdOf, type Owed } from '../../support/webhooks/delivery-audit.ts';
import type { Received } from '../../support/webhooks/receiver.ts';
import type { Time, Verdict } from '../support/verdict.ts';
import type { Fault } from './fleet.ts';
import { explainDuplicates, type Period, senderOf, silenceOf, vacancyOf } from './takeovers.ts';
import type { Scene, Target } from './webhook-scene.ts';

/** The figures of all scenes of an engine. */
export interface Figures {
  faults: number;
  messages: number;
  duplicates: number;
  /** The duplicates of one webhook after one fault. */
  duplicatesMost: number;
  /** The time until all processes had an even share. */
  evenMsMost: number;
  /** The time without a sender to a webhook, by its arrivals, and without an owner of its lease, by the database: once for each takeover. */
  readonly silent: Readonly<Record<Fault['kind'], Period[]>>;
  readonly vacant: Readonly<Record<Fault['kind'], Period[]>>;
}

export const createFigures = (): Figures => ({
  faults: 0,
  messages: 0,
  duplicates: 0,
  duplicatesMost: 0,
  evenMsMost: 0,
  silent: { kill: [], pause: [], stop: [] },
  vacant: { kill: [], pause: [], stop: [] },
});

/** Adds the figures of a finished scene, and expects that all messages were sent, and twice only those in flight. */
export const auditSending = (
  { targets, fleet: { faults, members }, leases: { tenures } }: Scene,
  owedTo: (target: Target) => Owed,
  figures: Figures,
  { expect, count: countMs }: Verdict,
): void => {
  const byFault = new Map<Fault, number>();
  figures.faults += faults.length;
  for (const target of targets) {
    const { messages, lost, invented, duplicates } = auditDeliveries(target.received, owedTo(target));
    figures.messages += messages;
    figures.duplicates += duplicates;
    expect(lost === 0, `${target.temper}: ${lost} messages were lost`);
    expect(invented === 0, `${target.temper}: ${invented} messages were invented`);
    const explained = explainDuplicates(target.received, faults, target.timesOwed, countMs);
    const [example] = explained.unexplained;
    if (example)
      expect(false, `${explained.unexplained.length} messages came twice for no reason, such as ${describe(example)}`);
    for (const [fault, count] of explained.byFault) {
      byFault.set(fault, (byFault.get(fault) ?? 0) + count);
      figures.duplicatesMost = Math.max(figures.duplicatesMost, count);
      expect(count <= concurrencyMax, `${count} messages of a webhook came twice after a ${fault.kind}`);
    }
    const own = tenures.filter(({ webhookId }) => webhookId === target.id);
    for (const fault of faults) {
      const silent = silenceOf(target.received, fault, faults);
      const vacant = vacancyOf(own, fault);
      if (silent === undefined) continue;
      figures.silent[fault.kind].push(silent);
      if (vacant !== undefined) figures.vacant[fault.kind].push(vacant);
    }
  }
  for (const [{ kind }, count] of byFault)
    expect(count <= attemptsInFlightMax + targets.length, `${count} messages came twice after a ${kind}`);
  for (const { log } of members.values())
    expect(!log.some(({ msg }) => msg === 'defect'), 'a process has logged a defect');
};

const describe = (arrivals: readonly Received[]): string =>
  arrivals.map((one) => `${messageIdOf(one)} from ${senderOf(one)} at ${new Date(one.atMs).toISOString()}`).join(', ');

/** On a busy machine one of many may take longer. Without a release it would take ten seconds. */
const stoppedMsMost = 2000;

/** Expects that other processes took over in time, and returns the figures as a row of a table. */
export const auditTakeovers = (
  { silent, vacant, ...figures }: Figures,
  { expect, expectWithin }: Verdict,
): Record<string, string | number> => {
  const row: Record<string, string | number> = { ...figures };
  for (const [what, periods] of [
    ['without a lease', vacant],
    ['not sending', silent],
  ] as const) {
    for (const kind of ['kill', 'pause', 'stop'] as const) {
      const sorted = periods[kind].toSorted((one, other) => lengthOf(one) - lengthOf(other));
      const median = sorted[Math.floor(sorted.length / 2)];
      row[`${what} after a ${kind}, ms`] = `${lengthOf(median)}, at most ${lengthOf(sorted.at(-1))}`;
      for (const period of sorted) {
        expect(period.toMs < Number.POSITIVE_INFINITY, `${what} ever after a ${kind}`);
        expectWithin(kind === 'stop' ? stoppedMsMost : promisedMs.takenOver, `${what} after a ${kind}`, toTime(period));
      }
      if (kind === 'stop' && median)
        expectWithin(promisedMs.released, `${what} after a stop, in the median`, toTime(median));
    }
  }
  return row;
};

const lengthOf = (period: Period | undefined): number => (period ? period.toMs - period.fromMs : 0);

const toTime = ({ fromMs, toMs }: Period): Time => ({
  fromMs: fromMs - performance.timeOrigin,
  toMs: toMs - performance.timeOrigin,
});
