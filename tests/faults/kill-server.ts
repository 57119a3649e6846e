/**
 * Kills a server repeatedly with SIGKILL at random moments while 64 clients create, change and remove plants and their pictures, on one
 * database. After each kill the file is opened: it must be intact, contain all acknowledged changes, and
 * no change that was not requested. A replay of the log of events must give the same plants and pictures. The next
 * server must be ready within two seconds, and within ten on Deno and Node, which translate each file of the source at each start.
 *
 *     bun tests/faults/kill-server.ts [--rounds 200] [--seed 1]
 */
import { temporaryFolder } from '../support/folder.ts';
import { pictureOf } from '../support/pictures/pictures.ts';
import { type Intent, requestOf } from '../support/plant-requests.ts';
import { programName, startServer } from '../support/programs/process.ts';
import { promisedMs } from '../support/promised.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { type State, stateOf } from './support/linearizable.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(200);

const clients = 64;
const plantsOfClient = 50;
const readyWithin = (/^(?:deno|node)/.test(programName) ? 5 : 1) * promisedMs.started;
const { expect, expectWithin, end } = createVerdict();

using folder = temporaryFolder();
const database = folder.file('plants.sqlite');
const headers = await createDatabase(database);

/** The possible states of each plant: one, or two if the response to its last change was lost. */
const possible = new Map<number, readonly State[]>();
let acknowledged = 0;
let unanswered = 0;
let nextName = 0;

/** A change that is possible in each state of a plant, so that its result is known even after a lost response. */
const choose = (id: number, [before]: readonly State[]): { readonly intent: Intent; readonly after: State } => {
  nextName += 1;
  const name = `n${nextName}`;
  if (before === undefined) return { intent: { id, method: 'POST', name }, after: name };
  const [current = '', digest] = before.split(' ');
  const which = random();
  if (which < 0.5) return { intent: { id, method: 'PATCH', name }, after: stateOf(name, digest) };
  if (which < 0.7) {
    const file = pictureOf(nextName);
    const put = { id, method: 'PUT picture', name, file } as const;
    return { intent: put, after: stateOf(current, file.picture.digest) };
  }
  if (which < 0.8 && digest !== undefined) return { intent: { id, method: 'DELETE picture' }, after: current };
  return { intent: { id, method: 'DELETE' }, after: undefined };
};

/** Changes its own plants, one after the other, until the server has ended. */
const change = async (url: string, client: number): Promise<void> => {
  for (;;) {
    const id = client * plantsOfClient + Math.floor(random() * plantsOfClient);
    const before = possible.get(id) ?? [undefined];
    const { intent, after } = choose(id, before);
    const { method, path, headers: own, ...request } = requestOf(intent);
    possible.set(id, [...before, after]);
    let response: Response;
    try {
      response = await fetch(url + path, { method, headers: { ...headers, ...own }, ...request });
    } catch {
      unanswered += 1;
      return;
    }
    if (!response.ok) throw new Error(`${method} ${path} got status ${response.status}: ${await response.text()}`);
    possible.set(id, [after]);
    acknowledged += 1;
  }
};

/** Compares the file after the kill with the possible states of each plant. */
const inspect = () => {
  const { isWhole, plants, pictures, isLogTrue } = inspectDatabase(database);
  let lost = 0;
  for (const [id, states] of possible) {
    const name = plants.get(id);
    const state = name === undefined ? undefined : stateOf(name, pictures.get(id));
    if (!states.includes(state)) lost += 1;
    possible.set(id, [state]);
  }
  return { isWhole, isLogTrue, lost };
};

let slowestReadyMs = 0;
for (const round of rounds.each()) {
  const startedAtMs = performance.now();
  await using server = await startServer(database);
  slowestReadyMs = Math.max(slowestReadyMs, performance.now() - startedAtMs);
  expectWithin(readyWithin, 'a start', { fromMs: startedAtMs });
  const changing = Array.from({ length: clients }, (_, client) => change(server.url, client));
  await Bun.sleep(50 + 400 * random());
  server.kill('SIGKILL');
  await Promise.all([server.exited, ...changing]);
  const { isWhole, isLogTrue, lost } = inspect();
  expect(lost === 0, `${lost} plants or pictures are lost or wrong`);
  expect(isLogTrue, 'the log is unlike the plants and pictures');
  expect(isWhole, 'the file is damaged');
  if (round % 10 === 0) console.error(`round ${round}: ${acknowledged} changes acknowledged`);
}

end({ kills: rounds.count(), acknowledged, unanswered, 'slowest start, ms': Math.round(slowestReadyMs) });
