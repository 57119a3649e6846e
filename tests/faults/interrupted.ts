/**
 * Interrupts `copy`, `restore` and `migrate` at each of their steps, on both engines: by SIGKILL within a system call, by a full disk from a write
 * on, and by a real disk, or a tablespace of PostgreSQL, that has too little space. All of the command must be done, or nothing of it,
 * and the source must be the same. A full disk must be named in one line with exit code 1, and leave no draft. The same command must then
 * succeed, or report that it has succeeded before.
 *
 *     bun tests/faults/interrupted.ts [--rounds 600] [--seed 1] [--scene 'copy to SQLite']        a round is one interruption
 */
import { mkdirSync } from 'node:fs';
import { temporaryFolder } from '../support/folder.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { type Outcome, runProgram, underTest } from '../support/programs/process.ts';
import { SQL } from '../support/store/sql.ts';
import { createFullStore } from './interrupting/full-store.ts';
import { type Attempt, contentOf, createScenes, draftsIn, type Place, type Scene } from './interrupting/scenes.ts';
import { mountSmallDisk, type SmallDisk } from './interrupting/small-disk.ts';
import { fullFrom, killedAt, readSteps, type Step, tracing } from './interrupting/steps.ts';
import { lostMs } from './support/comes-true.ts';
import { readOptions, skipWithout } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random, choose } = readOptions(600);
skipWithout('strace');
const { expect, end } = createVerdict();

using folder = temporaryFolder();
await using postgres = await startPostgres();
await using sql = new SQL(postgres.url, { max: 1 });
using smallDisk = mountSmallDisk(folder.file('small'));
if (smallDisk) await sql.unsafe(`CREATE TABLESPACE small LOCATION '${smallDisk.folder}'`);

let places = 0;
const createPlace = (disk?: SmallDisk): Place => {
  places += 1;
  const own = `${disk?.folder ?? folder.path}/place${places}`;
  mkdirSync(own);
  return {
    folder: own,
    createPostgres: async () => {
      places += 1;
      const tablespace = disk ? 'TABLESPACE small' : '';
      await sql.unsafe(`CREATE DATABASE place${places} TEMPLATE template0 ${tablespace} STRATEGY file_copy`);
      return postgres.url.replace(/postgres$/, `place${places}`);
    },
  };
};

const run = (args: readonly string[], program: readonly string[]): Promise<Outcome> => runProgram(args, { program });

const sources = { sqlite: folder.file('source.sqlite'), postgres: await createPlace().createPostgres() };
await createFullStore(sources.sqlite);
await run(['copy', sources.sqlite, sources.postgres], underTest);
const { scenes, expected } = await createScenes(sources);

/** Resolves to the first result that is not rejected. A server needs a moment to end the session of a killed process. */
const settled = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  const endsAtMs = performance.now() + lostMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > endsAtMs) throw error;
    }
    await Bun.sleep(20);
  }
};

/** Runs the command again until no session of the interrupted process is left. */
const runAgain = ({ args }: Attempt): Promise<Outcome> =>
  settled(async () => {
    const outcome = await run(args, underTest);
    if (/is in use|is being copied|is locked/.test(outcome.stderr)) throw new Error(outcome.stderr);
    return outcome;
  });

/** Every command is run once without a fault, which shows its steps. */
const known = new Map<Scene, readonly Step[]>();
const stepsOf = async (scene: Scene): Promise<readonly Step[]> => {
  const steps = known.get(scene);
  if (steps) return steps;
  const trace = folder.file('trace');
  const attempt = await scene.prepare(createPlace());
  const { exitCode, stderr } = await run(attempt.args, tracing(trace));
  if (exitCode !== 0 || (await settled(attempt.state)) !== 'after') throw new Error(`${scene.name}: ${stderr}`);
  const found = readSteps(trace);
  known.set(scene, found);
  return found;
};

const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(items.length * random())];
  if (item === undefined) throw new Error('There is nothing to pick.');
  return item;
};

/** A disk that is full: the reason must be named. */
const judgeFull = (what: string, { exitCode, stderr }: Outcome, place: Place): void => {
  if (exitCode === 0) return;
  expect(exitCode === 1 && /^plant-store: [^\n]*disk[^\n]* is full\.[^\n]*\n$/.test(stderr), `${what}: ${stderr}`);
  expect(draftsIn(place.folder).length === 0, `${what}: a draft is left`);
};

/** What must hold after every interruption. */
const judge = async (what: string, attempt: Attempt, outcome?: Outcome): Promise<void> => {
  const state = await settled(attempt.state);
  expect(state !== 'partial', `${what}: a part of it was done`);
  // A database that was just created can be too large to be opened.
  const isHonest = !outcome || outcome.exitCode === (state === 'after' ? 0 : 1) || what.startsWith('create');
  expect(isHonest, `${what}: it ended with ${outcome?.exitCode}, ${state} it`);
  const again = await runAgain(attempt);
  const isDone = again.exitCode === 0 || (state === 'after' && again.stderr.includes('is not empty'));
  expect(isDone, `${what}: again it ended with ${again.exitCode}: ${again.stderr}`);
  expect((await settled(attempt.state)) === 'after', `${what}: it was not done in the end`);
};

const kill = async (scene: Scene): Promise<void> => {
  const step = pick(await stepsOf(scene));
  const attempt = await scene.prepare(createPlace());
  await run(attempt.args, killedAt(step));
  await judge(`${scene.name}, killed at ${step.call} ${step.n}`, attempt);
};

const fill = async (scene: Scene): Promise<void> => {
  const step = pick((await stepsOf(scene)).filter(({ call }) => call === 'pwrite64'));
  const place = createPlace();
  const attempt = await scene.prepare(place);
  const outcome = await run(attempt.args, fullFrom(step));
  const what = `${scene.name}, full from write ${step.n}`;
  judgeFull(what, outcome, place);
  await judge(what, attempt, outcome);
};

const fillDisk = (disk: SmallDisk) => async (scene: Scene) => {
  await stepsOf(scene);
  const place = createPlace(disk);
  const attempt = await scene.prepare(place);
  const kibibytes = Math.floor(scene.kibibytes * random());
  disk.leave(kibibytes);
  const outcome = await run(attempt.args, underTest);
  disk.enlarge();
  const what = `${scene.name}, with ${kibibytes} KiB`;
  judgeFull(what, outcome, place);
  await judge(what, attempt, outcome);
};

const kinds = Object.fromEntries(
  choose(scenes).flatMap((scene) => [
    [`${scene.name}, killed`, () => kill(scene)] as const,
    ...(scene.engine === 'SQLite' ? [[`${scene.name}, full from a write`, () => fill(scene)] as const] : []),
    ...(smallDisk ? [[`${scene.name}, on a small disk`, () => fillDisk(smallDisk)(scene)] as const] : []),
  ]),
);
for (const [round, name, interrupt] of rounds.eachOf(kinds)) {
  await interrupt().catch((error) => expect(false, `${name}: ${error}`));
  if (round % 50 === 0) console.error(`round ${round}`);
}
for (const source of Object.values(sources))
  expect((await settled(() => contentOf(source))) === expected, `${source} was changed`);
const steps = [...known.values()].reduce((sum, { length }) => sum + length, 0);
end({ interruptions: rounds.count(), kinds: Object.keys(kinds).length, steps });
