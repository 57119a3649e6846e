/** The rounds of the trial of leases: what happens to the processes in each round. */
import { leaseMs } from '../../../src/webhooks/lease.ts';
import { comesTrue } from '../support/comes-true.ts';
import type { Verdict } from '../support/verdict.ts';
import { rememberSettled, type Settled } from './delivery-records.ts';
import { senderOf } from './takeovers.ts';
import type { Scene } from './webhook-scene.ts';

export interface Round {
  readonly title: string;
  readonly play: (scene: Scene, settled: Settled) => Promise<unknown>;
}

interface Surroundings {
  readonly random: () => number;
  readonly pauseMs: number;
  readonly expect: Verdict['expect'];
}

const restartMsMax = 3000;
const overlapMsMax = 12_000;
const burstMsMax = 100;
const stepMs = 20;

/** The kinds of rounds, each once. The first three have no faults that overlap. */
export const createRounds = ({ random, pauseMs, expect }: Surroundings): Round[] => {
  const wait = (msMax: number) => Bun.sleep(msMax * random());

  const kill = async ({ fleet, burst }: Scene, place: number): Promise<void> => {
    burst();
    await wait(burstMsMax);
    await fleet.kill(place);
    await wait(restartMsMax);
    await fleet.start(place);
  };

  const pause = async (scene: Scene, place: number, settled: Settled): Promise<void> => {
    const { fleet, leases, burst } = scene;
    burst();
    await wait(burstMsMax);
    fleet.pause(place);
    // A process that is paused inside an SQLite transaction blocks all other writes, including those of leases.
    while (!(await leases.isWritable())) {
      fleet.continue(place);
      await wait(stepMs);
      fleet.pause(place);
    }
    await Bun.sleep(pauseMs);
    await rememberSettled(scene, settled);
    fleet.continue(place);
  };

  const restart = async ({ fleet, burst }: Scene, place: number): Promise<void> => {
    burst();
    await wait(burstMsMax);
    expect((await fleet.stop(place)) === 0, 'a process did not stop in order');
    await fleet.start(place);
  };

  const later = async (work: () => Promise<void>): Promise<void> => {
    await wait(overlapMsMax);
    await work();
  };

  /** Calls `act` with two different places. */
  const withPlaces = ({ fleet }: Scene, act: (one: number, other: number) => readonly Promise<void>[]) => {
    const [one = 0, other = 0] = fleet.places.toSorted(() => random() - 0.5);
    return Promise.all(act(one, other));
  };

  return [
    { title: 'a kill', play: (scene) => withPlaces(scene, (one) => [kill(scene, one)]) },
    { title: 'a pause', play: (scene, settled) => withPlaces(scene, (one) => [pause(scene, one, settled)]) },
    {
      title: 'a rolling restart',
      play: async (scene) => {
        for (const place of scene.fleet.places) await restart(scene, place);
      },
    },
    {
      title: 'two kills',
      play: (scene) => withPlaces(scene, (one, other) => [kill(scene, one), later(() => kill(scene, other))]),
    },
    {
      title: 'two pauses',
      play: (scene, settled) =>
        withPlaces(scene, (one, other) => [pause(scene, one, settled), later(() => pause(scene, other, settled))]),
    },
    {
      title: 'a pause and a kill',
      play: (scene, settled) =>
        withPlaces(scene, (one, other) => [pause(scene, one, settled), later(() => kill(scene, other))]),
    },
  ];
};

/** Waits until all processes send, each for an even share of the webhooks. Resolves to how long it took since it was possible. */
export const untilEven = async (scene: Scene): Promise<number> => {
  // Until its lease ends, a process that was killed counts as one more.
  const lastKill = scene.fleet.faults.findLast(({ kind }) => kind === 'kill');
  const possibleAtMs = Math.max(Date.now(), lastKill ? lastKill.atMs + leaseMs : 0);
  const isReached = await comesTrue(() => isEven(scene));
  return isReached ? Math.max(0, Date.now() - possibleAtMs) : Number.POSITIVE_INFINITY;
};

const isEven = ({ fleet, targets }: Scene): boolean => {
  const counts = new Map(fleet.running().map((name) => [name, 0]));
  for (const { received } of targets) {
    const last = received.at(-1);
    const count = last && counts.get(senderOf(last));
    if (last === undefined || count === undefined) return false;
    counts.set(senderOf(last), count + 1);
  }
  const share = targets.length / counts.size;
  return [...counts.values()].every((count) => count === Math.floor(share) || count === Math.ceil(share));
};
