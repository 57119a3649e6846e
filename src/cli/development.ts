/** What `serve` does in development: it keeps a token, and prints commands to try. */
import { chmodSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolders } from '../base/file-system.ts';
import { createDraft } from '../base/temporary-file.ts';
import type { Config } from '../config/config.ts';
import type { TokenStore } from '../tokens/store.ts';
import { digestToken, generateToken, isTokenInForce, scopes } from '../tokens/token.ts';
import { folderOf, refuseDatabase } from './database-files.ts';

export const developmentTokenFile = (config: Config): string => join(folderOf(config), 'development.token');

/** Reads the token of an earlier start from a file, or makes one. */
export const developmentToken = async (tokens: TokenStore, config: Config): Promise<string> => {
  const path = developmentTokenFile(config);
  createFolders(dirname(path));
  refuseDatabase(path, config);
  const kept = readPrivate(path);
  const record = await tokens.findByDigest(digestToken(kept));
  if (record && isTokenInForce(record, new Date())) return kept;

  const text = generateToken();
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

/** The first commands to paste; the id makes the first one safe to paste twice. */
export const firstSteps = (url: string, token: string, hasInbox: boolean): string => `
Plant Store listens on ${url}. Create a plant:

curl -sS ${url}/plants \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"id":9007199254740993,"name":"Monstera","tag":"tropical"}'

The response is {"name":"Monstera","tag":"tropical"}. Read it back:

curl -sS ${url}/plants/9007199254740993 -H 'Authorization: Bearer ${token}'
${hasInbox ? inboxSteps(url, token) : ''}`;

const inboxSteps = (url: string, token: string): string => `
Receive changes as signed webhooks. Open ${url}/inbox in a browser, and add a webhook:

curl -sS ${url}/webhooks \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"url":"${url}/inbox/plants"}'

Delete the plant, and the browser shows the event:

curl -sS -X DELETE ${url}/plants/9007199254740993 -H 'Authorization: Bearer ${token}'
`;
