import { generateSecret } from '../../../src/base/signature.ts';
import { openSqliteStore } from '../../../src/engines/sqlite.ts';
import { digestToken, generateToken, scopes } from '../../../src/tokens/token.ts';
import { pictureOf } from '../../support/pictures/pictures.ts';

const [plants, pictures] = [3000, 40];

/** Makes a store with rows in every table that is copied. */
export const createFullStore = async (path: string): Promise<void> => {
  const store = openSqliteStore(path);
  const rows = Array.from({ length: plants }, (_, id) => ({ id: BigInt(id), name: `n${id}`, tag: `t${id % 10}` }));
  await store.plants.putAll((put) => put(rows, 'leave'));
  for (let id = 1; id <= pictures; id += 1) await store.pictures.put(BigInt(id), pictureOf(id), {});
  const { id } = await store.webhooks.create({
    url: 'https://example.com/',
    events: ['plant.created'],
    secret: generateSecret(),
  });
  await store.deliveries.createTestMessage(id);
  await store.tokens.create({ name: 'n', scopes, digest: digestToken(generateToken()) });
  await store.close();
};
