/**
 * Sixty-four clients create, read, change and remove a thousand plants concurrently, a few of them far more often than others;
 * many changes have `If-Match` with the version that they change. Some requests are aborted before their response, and the server
 * is killed at times; requests without a response are repeated. All responses are recorded, and for each plant there must be an
 * order of its requests that explains them.
 *
 *     bun tests/faults/history.ts [--rounds 20] [--seed 1]        a round ends with a kill
 */
import { temporaryFolder } from '../support/folder.ts';
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
/** The last version of each plant that a client has seen, and the name that goes with it. */
const versions = new Map<number, { readonly name: string; readonly etag: string }>();
/** Names of creates that may be sent again: the same name may then belong to two versions. */
const ambiguous = new Set<string>();
let nextName = 0;
const counts = { answered: 0, unanswered: 0, 'sent again': 0, 'conditions failed': 0, conflicts: 0 };

const createName = (): string => {
  nextName += 1;
  return `n${nextName}`;
};

const pick = (): number => 1 + Math.floor((random() < 0.3 ? hotPlants : plants) * random());

interface Intent {
  readonly id: number;
  readonly method: Operation['method'];
  readonly name?: string;
  readonly condition?: { readonly name: string; readonly etag: string } | undefined;
}

const choose = (): Intent => {
  const id = pick();
  const which = random();
  if (which < 0.3) return { id, method: 'GET' };
  const name = createName();
  if (which < 0.55) return { id, method: 'POST', name };
  const version = versions.get(id);
  const condition = version && !ambiguous.has(version.name) && random() < 0.7 ? version : undefined;
  return which < 0.85 ? { id, method: 'PATCH', name, condition } : { id, method: 'DELETE', condition };
};

/** Sends one request, records its result, and resolves to whether there was a response. */
const send = async (url: string, { id, method, name, condition }: Intent): Promise<boolean> => {
  const sentAt = performance.now();
  const operation = { method, ...(name !== undefined && { name }), ifMatch: condition?.name, sentAt };
  const isGivenUp = random() < 0.02;
  const record = (outcome: Pick<Operation, 'answeredAt' | 'status' | 'seen'>): void => {
    const history = histories.get(id) ?? [];
    history.push({ ...operation, ...outcome });
    histories.set(id, history);
  };
  try {
    const response = await fetch(method === 'POST' ? `${url}/plants` : `${url}/plants/${id}`, {
      method,
      headers: { ...headers, ...(condition && { 'if-match': condition.etag }) },
      ...(name !== undefined && { body: method === 'POST' ? `{"id":${id},"name":"${name}"}` : `{"name":"${name}"}` }),
      ...(isGivenUp && { signal: AbortSignal.timeout(Math.floor(4 * random())) }),
    });
    const text = await response.text();
    const answeredAt = performance.now();
    const { status } = response;
    if (![200, 204, 404, 409, 412].includes(status)) throw new Error(`${method} got status ${status}: ${text}`);
    const answer: { name?: string } = status === 200 ? JSON.parse(text) : {};
    record({ answeredAt, status, ...(answer.name !== undefined && { seen: answer.name }) });
    const etag = response.headers.get('etag');
    if (etag !== null && answer.name !== undefined) versions.set(id, { name: answer.name, etag });
    counts.answered += 1;
    if (status === 412) counts['conditions failed'] += 1;
    if (status === 409) counts.conflicts += 1;
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('got status')) throw error;
    record({ answeredAt: Number.POSITIVE_INFINITY });
    counts.unanswered += 1;
    return false;
  }
};

/** Requests without a response, which the same client repeats, also to the next server. */
const unanswered = new Map<number, Intent>();

const work = async (url: string, client: number, isOver: () => boolean): Promise<void> => {
  while (!isOver()) {
    const again = unanswered.get(client);
    if (again) counts['sent again'] += 1;
    const intent = again ?? choose();
    unanswered.delete(client);
    if (await send(url, intent)) continue;
    if (intent.method === 'POST') {
      ambiguous.add(intent.name ?? '');
      unanswered.set(client, intent);
    }
    // A repeated change counts as another change if the first one has taken effect.
    if (intent.method === 'PATCH') unanswered.set(client, { ...intent, name: createName() });
    if (intent.method === 'DELETE') unanswered.set(client, intent);
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
