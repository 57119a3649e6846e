import type { SqliteClient } from '../runtime/runtime.ts';

export type Snapshot = ReturnType<typeof createSnapshot>;

/** A transaction for reads, which all see one state of the data. It affects no other transaction that is open on the client. */
export const createSnapshot = (client: SqliteClient) => {
  const begin = client.prepare('BEGIN');
  const rollback = client.prepare('ROLLBACK');
  const readDataVersion = client.prepare<{ data_version: bigint }>('PRAGMA data_version');
  let isOpen = false;
  let dataVersion: bigint | undefined;
  return {
    isOpen: (): boolean => isOpen,
    /** During a read, it differs from that of an earlier snapshot if another connection, of any process, has committed since. */
    dataVersion: (): bigint | undefined => dataVersion,
    begin: (): void => {
      // A database in memory has one client, and an import may have borrowed it.
      if (client.inTransaction) return;
      begin.run();
      isOpen = true;
      // The first query of the transaction takes the snapshot.
      dataVersion = readDataVersion.all()[0]?.data_version;
    },
    /** Returns whether it was open. */
    end: (): boolean => {
      const wasOpen = isOpen;
      if (wasOpen && client.inTransaction) rollback.run();
      isOpen = false;
      return wasOpen;
    },
  };
};
