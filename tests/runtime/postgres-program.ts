/** Sends queries to PostgreSQL for the commands that it reads from stdin, one JSON text a line, and writes the outcomes to stdout. It runs on any runtime. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { postgres } from '#runtime/postgres/driver';
import type { PostgresAddress, PostgresParameter, PostgresQueries } from '../../src/postgres/driver/driver.ts';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';

export interface PostgresCommand {
  readonly id: number;
  readonly url: string;
  /** The queries of a batch are sent together, once the batch before is settled. */
  readonly batches: readonly (readonly PostgresQuery[])[];
  /** Closes the connection once the queries are sent. */
  readonly isClosedEarly?: boolean;
  /** Listens on this channel instead of sending queries. */
  readonly channel?: string;
}

/** The name of the function, the statement, and its parameters. A bigint is a text such as `5n`. */
export type PostgresQuery = readonly ['query' | 'simple', string, ...(string | number | boolean | null)[]];

const toParameter = (value: PostgresParameter): PostgresParameter =>
  typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;

const write = (result: object): void =>
  console.log(JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));

/** The SQLSTATE, or `lost`. */
const failureOf = (error: unknown): string =>
  postgres.stateOf(error) ?? (postgres.isConnectionError(error) ? 'lost' : `${error}`);

const send = (queries: PostgresQueries, [name, text, ...parameters]: PostgresQuery) =>
  name === 'simple' ? queries.simple(text) : queries[name](text, parameters.map(toParameter));

const run = async (address: PostgresAddress, command: PostgresCommand): Promise<object> => {
  const { opened, ended, close } = postgres.connect(address);
  const settled: number[] = [];
  const outcomes: unknown[] = [];
  const elapsedMs: number[] = [];
  try {
    const queries = await opened;
    for (const batch of command.batches) {
      const startedAtMs = performance.now();
      const sent = batch.map(async (query, index) => {
        try {
          const rows = await send(queries, query);
          outcomes.push(
            'command' in rows && 'count' in rows ? { command: rows.command, count: rows.count, rows } : rows,
          );
        } catch (error) {
          outcomes.push(failureOf(error));
        }
        settled.push(index);
      });
      if (command.isClosedEarly) close();
      await Promise.all(sent);
      elapsedMs.push(performance.now() - startedAtMs);
    }
  } catch (error) {
    outcomes.push(failureOf(error));
  }
  const isLost = outcomes.some((outcome) => outcome === 'lost' || outcome === '57P01');
  // The end may be reported a moment after the queries have rejected.
  if (isLost && !ended.aborted) await Promise.race([once(ended, 'abort'), setTimeout(1000)]);
  const isEnded = ended.aborted;
  close();
  return { outcomes, settled, isEnded, elapsedMs };
};

const listen = async (address: PostgresAddress, channel: string, id: number): Promise<object> => {
  const { opened, ended } = postgres.listen(address, channel, (payload) => write({ payload }));
  ended.addEventListener('abort', () => write({ ended: id }));
  await opened;
  return {};
};

for await (const line of createInterface({ input: process.stdin })) {
  const command: PostgresCommand = JSON.parse(line);
  const { id, url, channel } = command;
  const [address] = addressesOf(parsePostgresUrl(url));
  if (!address) throw new Error(`${url} has no host.`);
  void (channel === undefined ? run(address, command) : listen(address, channel, id)).then((result) =>
    write({ id, ...result }),
  );
}
