/** Folders that take seconds to make, such as a generated client, are kept for the other abilities of a tool. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Run, Session } from '../../measure/session.ts';

/** Makes the folder `name` of the session, unless there is one of the same version, document and `key`. Its commands are evidence each time. */
export const makeOnce = async (session: Session, name: string, key: string, make: () => Promise<void>) => {
  const { file, commands, runs, installation } = session;
  const document = readFileSync(file('openapi.yaml'), 'utf8');
  const hash = createHash('sha256')
    .update(JSON.stringify([name, key, document]))
    .digest('hex');
  const kept = join(installation.folder, 'kept', hash.slice(0, 16));
  const known = join(kept, 'runs.json');
  if (existsSync(known)) {
    cpSync(join(kept, name), file(name), { recursive: true });
    const made: Run[] = JSON.parse(readFileSync(known, 'utf8'));
    runs.push(...made);
    commands.push(...made.flatMap(({ command, isHidden }) => (isHidden ? [] : [command])));
    return;
  }
  const before = runs.length;
  await make();
  cpSync(file(name), join(kept, name), { recursive: true });
  await Bun.write(known, JSON.stringify(runs.slice(before)));
};
