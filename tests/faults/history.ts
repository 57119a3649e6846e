/**
 * Sixty-four clients create, read, change and remove a thousand plants and their pictures concurrently, a few of them far more often than others;
 * many changes have `If-Match` with the version that they change. Some requests are aborted before their response, and the server
 * is killed at times; requests without a response are repeated. All responses are recorded, and for each plant there must be an
 * order of its requests that explains them.
 *
 *     bun tests/faults/history.ts [--rounds 20] [--seed 1]        a round ends with a kill
 */
import { temporaryFolder } from '../support/folder.ts';
import { type Answer, createChooser, type Intent, readAnswer, requestOf } from '../support/plant-requests.ts';
import { startServer } from '../support/programs/process.ts';
import { createDatabase } from './support/database.ts';
import { isLinearizable, type Operation } from './support/linearizable.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(20);
const clients = 64;
const plants = 1000;
const hotPlants = 20;
const roundMs = 1500;

using folder = temporaryFolder();
const database = folder.file('plants.sqlite');
const headers = await createDatabase(database);

const histories = new Map<number, Operation[]>();
const { choose, rename, noteVersion, noteRepeated } = createChooser(random);
const counts = { answered: 0, unanswered: 0, 'sent again': 0, 'conditions failed': 0, conflicts: 0 };

const pick = (): number => 1 + Math.floor((random() < 0.3 ? hotPlants : plants) * random());

/** Sends one request, records its result, and resolves to whether there was a response. */
const send = async (url: string, intent: Intent): Promise<boolean> => {
  const { id, method, name, condition } = intent;
  const sentAt = performance.now();
  const operation = { method, ...(name !== undefined && { name }), ifMatch: condition?.state, sentAt };
  const isGivenUp = random() < 0.02;
  const record = (outcome: Pick<Operation, 'answeredAt' | 'status' | 'seen'>): void => {
    const history = histories.get(id) ?? [];
    history.push({ ...operation, ...outcome });
    histories.set(id, history);
  };
  const { path, headers: own, ...request } = requestOf(intent);
  let response: Response;
  let answer: Answer;
  try {
    response = await fetch(url + path, {
      ...request,
      headers: { ...headers, ...own },
      ...(isGivenUp && { signal: AbortSignal.timeout(Math.floor(4 * random())) }),
    });
    answer = await readAnswer(method, response);
  } catch {
    record({ answeredAt: Number.POSITIVE_INFINITY });
    counts.unanswered += 1;
    return false;
  }
  const answeredAt = performance.now();
  const { status } = response;
  const { seen, version, text } = answer;
  if (![200, 201, 204, 404, 409, 412].includes(status)) throw new Error(`${method} got status ${status}: ${text}`);
  record({ answeredAt, status, ...(seen !== undefined && { seen }) });
  if (version) noteVersion(id, version);
  counts.answered += 1;
  if (status === 412) counts['conditions failed'] += 1;
  if (status === 409) counts.conflicts += 1;
  return true;
};

/** Requests without a response, which the same client repeats, also to the next server. */
const unanswered = new Map<number, Intent>();

const work = async (url: string, client: number, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const again = unanswered.get(client);
    if (again) counts['sent again'] += 1;
    const intent = again ?? choose(pick());
    unanswered.delete(client);
    if (await send(url, intent)) continue;
    if (intent.method.startsWith('GET')) continue;
    // A repeated change counts as another change if the first one has taken effect.
    if (intent.method !== 'PATCH' && intent.name !== undefined) noteRepeated(intent.name);
    unanswered.set(client, intent.method === 'PATCH' ? rename(intent) : intent);
  }
};

for (const round of rounds.each()) {
  await using server = await startServer(database);
  let isOver = false;
  const working = Array.from({ length: clients }, (_, client) => work(server.url, client, () => isOver));
  await Bun.sleep(roundMs * (0.5 + random()));
  server.kill('SIGKILL');
  isOver = true;
  await Promise.all([server.exited, ...working]);
  console.error(`round ${round}: ${counts.answered} answers`);
}

const unexplained = [...histories].filter(([, history]) => !isLinearizable(history)).map(([id]) => id);
for (const id of unexplained.slice(0, 3)) console.error(`plant ${id}:`, histories.get(id));
const { expect, end } = createVerdict();
expect(unexplained.length === 0, `no order explains the responses about ${unexplained.length} plants`);
expect(counts['conditions failed'] > 0, 'no condition has failed, so this trial proves less');
expect(counts.unanswered > 0, 'every request got a response, so this trial proves less');
end({ plants: histories.size, kills: rounds.count(), ...counts });
