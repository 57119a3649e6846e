import postgresMigrations from '../../../src/postgres/db/migrations.json' with { type: 'json' };
import { parsePostgresUrl } from '../../../src/postgres/driver/url.ts';
import { migrate } from '../../../src/postgres/migrate.ts';
import { addressesOf } from '../../../src/postgres/session/address.ts';
import { connect } from '../../../src/postgres/session/connect.ts';
import { insertPlant } from './older-schema.ts';

export const createOlderPostgres = async (url: string, count: number): Promise<void> => {
  const session = await connect(addressesOf(parsePostgresUrl(url)), async () => {});
  try {
    await migrate(session, { create: true, migrations: postgresMigrations.slice(0, count) });
    await session.simple(insertPlant);
  } finally {
    session.close();
  }
};
