import { auditRows } from '../store/log-audit.ts';
import { SQL } from '../store/sql.ts';

/** The faults in the log of events of this database, in sentences: those of `auditRows`, and a wrong head. */
export const auditLog = async (url: string): Promise<string[]> => {
  await using sql = new SQL(url, { max: 1 });
  const plants = await sql`SELECT id::text, name, tag, picture FROM plants`;
  const pictures = await sql`SELECT plant_id::text AS id, encode(sha256(content), 'hex') AS digest FROM pictures`;
  const events = await sql`SELECT sequence::text, type, plant_id::text AS id, name, tag, picture FROM events
    ORDER BY events.sequence`;
  const [head] = await sql`SELECT sequence::text FROM log_head`;
  const faults = auditRows({ plants, pictures, events });
  if (head?.sequence !== `${events.length}`)
    faults.push(`The head is ${head?.sequence} after ${events.length} events.`);
  return faults;
};
