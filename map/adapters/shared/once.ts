/** Folders that take seconds to make, such as a generated client, are kept for the other abilities of a tool. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../measure/session.ts';

/** Makes the folder `name` of the session, unless there is one of the same version, document and `key`. Its commands are evidence each time. */
export const makeOnce = async (session: Session, name: string, key: string, make: () => Promise<void>) => {
  const { file, commands, installation } = session;
  const document = readFileSync(file('openapi.yaml'), 'utf8');
  const hash = createHash('sha256')
    .update(JSON.stringify([name, key, document]))
    .digest('hex');
  const kept = join(installation.folder, 'kept', hash.slice(0, 16));
  const known = join(kept, 'commands.json');
  if (existsSync(known)) {
    cpSync(join(kept, name), file(name), { recursive: true });
    commands.push(...JSON.parse(readFileSync(known, 'utf8')));
    return;
  }
  const before = commands.length;
  await make();
  cpSync(file(name), join(kept, name), { recursive: true });
  await Bun.write(known, JSON.stringify(commands.slice(before)));
};
