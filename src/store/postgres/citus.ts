/**
 * Citus (https://github.com/citusdata/citus), which distributes tables over nodes. A store in a distributed schema is supported: all its
 * tables are on one node, and sessions of any node send it their statements. Each statement that writes must be sent as it is, to have a
 * commit of one phase: see `isOnNode`. Tables that are distributed by a column are refused: an event could become visible before its plant.
 */
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as schema from '../../../db/postgres.ts';
import { OperatorError } from '../../base/error.ts';
import type { Session } from './session/session.ts';
import { toArray } from './session/sql.ts';

/** Throws OperatorError if a table of the store is distributed other than by its schema. */
export const expectOneNode = async ({ sql, isCitus }: Session): Promise<void> => {
  if (!isCitus) return;
  // Without a colocation group, a table is only on this node.
  const rows = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
    WHERE relnamespace = to_regnamespace(current_schema()) AND relname = ANY(${toArray(names)}::text[])
      AND colocationid <> 0 AND NOT EXISTS (SELECT FROM pg_dist_schema WHERE schemaid = relnamespace)
    ORDER BY relname`;
  if (rows.length === 0) return;
  throw new OperatorError(
    `Citus distributes tables of the store, which is not supported: ${rows.map(({ name }) => name).join(', ')}. ` +
      'Make them local with undistribute_table; to use several nodes, give each store a distributed schema.',
  );
};

/** Throws OperatorError if the tables of this session's schema can be changed only on another node. */
export const expectCoordinator = async ({ sql, isCitus }: Session): Promise<void> => {
  if (!isCitus) return;
  const rows = await sql`
    SELECT FROM pg_dist_schema, pg_dist_local_group
    WHERE schemaid = to_regnamespace(current_schema()) AND groupid <> 0`;
  if (rows.length > 0)
    throw new OperatorError('This is a worker of Citus; run migrate with the URL of the coordinator first.');
};

const names = Object.values(schema)
  .filter((table) => is(table, PgTable))
  .map(getTableName);
