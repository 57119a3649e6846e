import { chmodSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDraft } from '../base/draft.ts';
import type { Config } from '../config.ts';
import { digestToken, isTokenInForce, mintToken, scopes } from '../domain/token.ts';
import type { TokenStore } from '../store/store.ts';
import { folderOf, refuseDatabase, shellWordOf } from './database.ts';
import { shieldFlags } from './surroundings.ts';

export const developmentTokenFile = (config: Config): string => join(folderOf(config), 'development.token');

/** Only for local work: reads the token of an earlier start from a file, or makes one. */
export const developmentToken = async (tokens: TokenStore, config: Config): Promise<string> => {
  const path = developmentTokenFile(config);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  refuseDatabase(path, config);
  const kept = readPrivate(path);
  const record = await tokens.findByDigest(digestToken(kept));
  if (record && isTokenInForce(record, new Date())) return kept;

  const text = mintToken();
  using draft = createDraft(path);
  writeFileSync(draft.path, `${text}\n`);
  await tokens.create({ name: 'development', scopes, digest: digestToken(text) });
  draft.take({ replace: true });
  return text;
};

/** The text of the file, after its mode is set to 0600. Empty if it does not exist, or is a link. */
const readPrivate = (path: string): string => {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return '';
  chmodSync(path, 0o600);
  return readFileSync(path, 'utf8').trim();
};

/** The first commands to paste; the id makes the first one safe to paste twice. Bun is named by its path, for any terminal. */
export const firstSteps = (url: string, token: string, config: Config): string => `
Plant Store listens on ${url}. Create a plant:

curl -sS ${url}/plants \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"id":9007199254740993,"name":"Monstera","tag":"tropical"}'

The response is {"name":"Monstera","tag":"tropical"}. Read it back:

curl -sS ${url}/plants/9007199254740993 -H 'Authorization: Bearer ${token}'

Receive changes as signed webhooks. In a second terminal:

export WEBHOOK_ALLOW_PRIVATE=true DATABASE_URL=${shellWordOf(config)}
plant_store() { '${process.execPath}' ${shieldFlags.join(' ')} '${Bun.main}' "$@"; }
export WEBHOOK_SECRET="$(plant_store webhook add http://127.0.0.1:4000 | cut -f2)"
plant_store listen --port 4000

Delete the plant, and the second terminal shows the event:

curl -sS -X DELETE ${url}/plants/9007199254740993 -H 'Authorization: Bearer ${token}'
`;
