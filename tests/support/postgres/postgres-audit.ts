import { isDeepStrictEqual } from 'node:util';
import { SQL } from '../store/sql.ts';

/** The faults in the log of events of this database, in sentences: a gap, or a replay that differs from the plants. */
export const auditLog = async (url: string): Promise<string[]> => {
  await using sql = new SQL(url, { max: 1 });
  const rows: Row[] = await sql`SELECT id::text, name, tag FROM plants`;
  const kept = new Map(rows.map(({ id, name, tag }) => [id, { name, tag }]));
  const events: (Row & { sequence: string; type: string })[] =
    await sql`SELECT sequence::text, type, plant_id::text AS id, name, tag FROM events ORDER BY events.sequence`;
  const [head] = await sql`SELECT sequence::text FROM log_head`;

  const faults: string[] = [];
  const played = new Map<string, Omit<Row, 'id'>>();
  for (const [index, { sequence, type, id, name, tag }] of events.entries()) {
    const before = played.get(id);
    if (sequence !== `${index + 1}`) faults.push(`Event ${index + 1} has the sequence ${sequence}.`);
    if ((type === 'plant.created') === (before !== undefined)) faults.push(`Event ${sequence} cannot follow: ${type}.`);
    if (type === 'plant.updated' && before?.name === name && before?.tag === tag)
      faults.push(`Event ${sequence} changes nothing.`);
    if (type === 'plant.deleted') played.delete(id);
    else played.set(id, { name, tag });
  }
  if (head?.sequence !== `${events.length}`)
    faults.push(`The head is ${head?.sequence} after ${events.length} events.`);
  if (!isDeepStrictEqual(kept, played)) faults.push('The log makes other plants than there are.');
  return faults;
};

interface Row {
  readonly id: string;
  readonly name: string;
  readonly tag: string | null;
}
