/** Webhooks to receivers with different behaviour, sent by a fleet, while clients change plants through all processes. */

import { startLoad } from '../../support/plant-load.ts';
import { type Owed, readPayloads } from '../../support/webhooks/delivery-audit.ts';
import { createDatabase } from '../support/database.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type LeaseTable, watchLeases } from './lease-table.ts';
import { createTempers, type Mailbox } from './tempers.ts';

export interface Target extends Mailbox {
  readonly id: string;
  readonly secret: string;
  /** The types of the events that it subscribes to. */
  readonly events: readonly string[];
}

/** Use with `await using`. */
export interface Scene extends AsyncDisposable {
  readonly fleet: Fleet;
  readonly targets: readonly Target[];
  readonly leases: LeaseTable;
  /** How many changes were acknowledged. */
  acknowledged(): number;
  /** Creates many plants concurrently, so that many messages are in flight. */
  burst(): void;
  /** Ends the load. Resolves to the wrong responses, once all requests have a response. */
  stopLoad(): Promise<string[]>;
  /** Sends a GET to a running process. */
  get(path: string): Promise<Response>;
  /** Reads the log, and from it the messages that each webhook must get. */
  readOwed(): Promise<(target: Target) => Owed>;
}

const processes = 3;
/** Each webhook subscribes to one of these. All include updates, so that each always has messages to send. */
const wishes = [
  ['plant.created', 'plant.updated', 'plant.deleted'],
  ['plant.created', 'plant.updated'],
  ['plant.updated', 'plant.deleted'],
];
const plantsOfBurst = 50;
/** How often one plant is changed besides, so that no webhook waits longer for an event. */
const beatMs = 100;
/** The load has smaller ids. */
const firstOwnId = 1_000_000;

/** Starts the receivers, the fleet and the clients on this database, which is empty. */
export const startScene = async (database: string, random: () => number): Promise<Scene> => {
  const headers = await createDatabase(database);
  const fleet = await startFleet(database, processes, { WEBHOOK_ALLOW_PRIVATE: 'true' });
  const tempers = createTempers(random);
  const leases = await watchLeases(database);
  const send = (method: string, path: string, body?: object) =>
    fetch(fleet.url() + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const add = async (mailbox: Mailbox, index: number): Promise<Target> => {
    const events = wishes[index % wishes.length] ?? [];
    const response = await send('POST', '/webhooks', { url: mailbox.url, events });
    const { id, secret }: { id: string; secret: string } = JSON.parse(await response.text());
    return { ...mailbox, id, secret, events };
  };
  const targets = await Promise.all(tempers.mailboxes.map(add));

  /** A request without a response, since its process was killed, has an unknown outcome. */
  const unknown = () => Response.json({ error: 50301 }, { status: 503 });
  const load = startLoad(
    (method, path, options) =>
      fetch(fleet.url() + path, { method, ...options, headers: { ...headers, ...options.headers } }).catch(unknown),
    { clients: 12, plants: 200, random, pauseMs: 400 },
  );
  /** Requests whose responses do not matter. */
  const inProgress = new Set<Promise<unknown>>();
  const sendAside = (method: string, path: string, body: object): void => {
    const sent = send(method, path, body)
      .catch(unknown)
      .finally(() => inProgress.delete(sent));
    inProgress.add(sent);
  };
  let beats = 0;
  await send('POST', '/plants', { id: firstOwnId, name: 'n' });
  const beating = setInterval(() => {
    beats += 1;
    sendAside('PATCH', `/plants/${firstOwnId}`, { name: `n${beats}` });
  }, beatMs);
  let created = firstOwnId;

  return {
    fleet,
    targets,
    leases,
    acknowledged: load.acknowledged,
    burst: () => {
      for (let count = 0; count < plantsOfBurst; count += 1) {
        created += 1;
        sendAside('POST', '/plants', { id: created, name: 'n' });
      }
    },
    stopLoad: async () => {
      clearInterval(beating);
      await load.stop();
      await Promise.all(inProgress);
      return load.faults();
    },
    get: (path) => send('GET', path),
    readOwed: async () => {
      const payloads = await readPayloads(fleet.url(), headers);
      return ({ secret, events, timesOwed }) => ({
        payloads: new Map([...payloads].filter(([, { type }]) => events.includes(type))),
        secret,
        timesOwed,
      });
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(beating);
      await fleet[Symbol.asyncDispose]();
      await load[Symbol.asyncDispose]();
      await leases[Symbol.asyncDispose]();
      tempers[Symbol.dispose]();
    },
  };
};
