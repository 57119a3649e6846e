/** The messages of a scene: the missing ones, the duplicates and their reasons, and the time without a sender. */
import { attemptsInFlightMax } from '../../../src/sender/share.ts';
import { concurrencyMax } from '../../../src/sender/throttle.ts';
import { auditDeliveries, messageIdOf, type Owed } from '../../support/webhooks/delivery-audit.ts';
import type { Received } from '../../support/webhooks/receiver.ts';
import type { Verdict } from '../support/verdict.ts';
import type { Fault } from './fleet.ts';
import { explainDuplicates, senderOf, silenceMs, vacancyMs } from './takeovers.ts';
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
  readonly silentMs: Readonly<Record<Fault['kind'], number[]>>;
  readonly vacantMs: Readonly<Record<Fault['kind'], number[]>>;
}

export const createFigures = (): Figures => ({
  faults: 0,
  messages: 0,
  duplicates: 0,
  duplicatesMost: 0,
  evenMsMost: 0,
  silentMs: { kill: [], pause: [], stop: [] },
  vacantMs: { kill: [], pause: [], stop: [] },
});

/** Adds the figures of a finished scene, and expects that all messages were sent, and twice only those in flight. */
export const auditSending = (
  { targets, fleet: { faults, members }, leases: { tenures } }: Scene,
  owedTo: (target: Target) => Owed,
  figures: Figures,
  expect: Verdict['expect'],
): void => {
  const byFault = new Map<Fault, number>();
  figures.faults += faults.length;
  for (const target of targets) {
    const { messages, lost, invented, duplicates } = auditDeliveries(target.received, owedTo(target));
    figures.messages += messages;
    figures.duplicates += duplicates;
    expect(lost === 0, `${target.temper}: ${lost} messages were lost`);
    expect(invented === 0, `${target.temper}: ${invented} messages were invented`);
    const explained = explainDuplicates(target.received, faults, target.timesOwed);
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
      const silent = silenceMs(target.received, fault, faults);
      const vacant = vacancyMs(own, fault);
      if (silent === undefined) continue;
      figures.silentMs[fault.kind].push(silent);
      if (vacant !== undefined) figures.vacantMs[fault.kind].push(vacant);
    }
  }
  for (const [{ kind }, count] of byFault)
    expect(count <= attemptsInFlightMax + targets.length, `${count} messages came twice after a ${kind}`);
  for (const { log } of members.values())
    expect(!log.some(({ msg }) => msg === 'defect'), 'a process has logged a defect');
};

const describe = (arrivals: readonly Received[]): string =>
  arrivals.map((one) => `${messageIdOf(one)} from ${senderOf(one)} at ${new Date(one.atMs).toISOString()}`).join(', ');

const lostMsMax = 15_000;
/** In the median. */
const stoppedMsMax = 1000;
/** On a busy machine one of many may take longer. Without a release it would take ten seconds. */
const stoppedMsMost = 2000;

/** Expects that other processes took over in time, and returns the figures as a row of a table. */
export const auditTakeovers = (
  { silentMs, vacantMs, ...figures }: Figures,
  expect: Verdict['expect'],
): Record<string, string | number> => {
  const row: Record<string, string | number> = { ...figures };
  for (const [what, times] of [
    ['without a lease', vacantMs],
    ['not sending', silentMs],
  ] as const) {
    for (const kind of ['kill', 'pause', 'stop'] as const) {
      const sorted = times[kind].toSorted((one, other) => one - other);
      const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
      row[`${what} after a ${kind}, ms`] = `${median}, at most ${most}`;
      expect(most <= (kind === 'stop' ? stoppedMsMost : lostMsMax), `${what} after a ${kind} for ${most} ms`);
      if (kind === 'stop') expect(median <= stoppedMsMax, `${what} after a stop for ${median} ms, in the median`);
    }
  }
  return row;
};
