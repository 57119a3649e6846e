import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { digestToken, isTokenInForce, mintToken, scopes } from '../domain/token.ts';
import type { TokenStore } from '../store/store.ts';

/**
 * For local work alone: finds the token that was made at the first start, or makes one. It lies in a file beside the
 * database, since a store keeps no token that could be shown again.
 */
export const developmentToken = async (tokens: TokenStore, databasePath: string): Promise<string> => {
  const path = join(dirname(databasePath), 'development.token');
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  const record = await tokens.findByDigest(digestToken(kept));
  if (record && isTokenInForce(record, new Date())) return kept;

  const text = mintToken();
  await tokens.create({ name: 'development', scopes, digest: digestToken(text) });
  writeFileSync(path, `${text}\n`, { mode: 0o600 });
  return text;
};

export interface FirstSteps {
  readonly url: string;
  readonly token: string;
  readonly databasePath: string;
}

/**
 * What a newcomer pastes first, as it stands, and what comes of it. The id makes the first command safe to paste twice. The
 * program is named by its path, since Bun may be in no folder that a second terminal looks into.
 */
export const firstSteps = ({ url, token, databasePath }: FirstSteps): string => `
Plant Store listens on ${url}. Create a plant:

curl -sS ${url}/plants \\
  -H 'Authorization: Bearer ${token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"id":9007199254740993,"name":"Monstera","tag":"tropical"}'

It answers {"name":"Monstera","tag":"tropical"}, and the plant is on the disk. Read it back:

curl -sS ${url}/plants/9007199254740993 -H 'Authorization: Bearer ${token}'

See changes arrive as signed webhooks. In a second terminal:

export WEBHOOK_ALLOW_PRIVATE=true DATABASE_URL='${resolve(databasePath)}'
plant_store() { '${process.execPath}' '${Bun.main}' "$@"; }
plant_store listen --port 4000 --secret "$(plant_store webhook add http://127.0.0.1:4000 | cut -f2)"

And in the first, or a third:

curl -sS -X DELETE ${url}/plants/9007199254740993 -H 'Authorization: Bearer ${token}'
`;
