/**
 * Checks that a server does the work that the comparison requires: it looks up the token for every request, validates, stores a plant and its
 * event in one synced transaction, sets an entity tag, and writes a line of log for each request.
 */

import type { Running } from '../support/servers.ts';
import type { Contestant } from './contestants.ts';
import { createClient } from './same-work/client.ts';
import { checkCreates } from './same-work/create-checks.ts';
import { checkLog } from './same-work/log-checks.ts';
import { checkReads } from './same-work/read-checks.ts';
import { checkRows } from './same-work/row-checks.ts';
import { checkSyncs } from './same-work/sync-checks.ts';
import { checkTokens } from './same-work/token-checks.ts';

/**
 * Throws an error that names the contestant and the work that it does not do. The ceiling, which has no tokens, is not checked. The
 * server must have no plants yet. Do not measure it afterwards: some of its plants are then larger than those of the load.
 */
export const checkSameWork = async ({ name, issueToken }: Contestant, running: Running): Promise<void> => {
  if (issueToken === undefined) return;
  const { database, log } = running;
  const client = createClient(running);
  try {
    const read = await checkReads(client);
    const created = await checkCreates(client);
    const synced = await checkSyncs(client, running);
    await checkTokens(client, database, issueToken);
    checkRows(database, [...read, ...created, ...synced]);
    await checkLog(log, client.sent);
  } catch (cause) {
    throw new Error(`${name} does not do the same work: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
};
