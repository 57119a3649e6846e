/**
 * Prints the first row of a query on each database, or the code of the error, which is the SQLSTATE of an error of the server. It shows the
 * effect of the environment, and runs on any runtime.
 */
import { postgres } from '#runtime/postgres/driver';
import { codeOf } from '../../../src/base/error.ts';
// It changes the environment of the process.
import '../../../src/config/config.ts';
import { parsePostgresUrl } from '../../../src/postgres/driver/url.ts';
import { addressesOf } from '../../../src/postgres/session/address.ts';

const [query = '', ...urls] = process.argv.slice(2);
for (const url of urls) {
  try {
    const [address] = addressesOf(parsePostgresUrl(url));
    if (!address) throw new Error(`${url} has no host.`);
    const { opened, close } = postgres.connect(address);
    const [row] = await (await opened).simple(query);
    console.log(JSON.stringify(row));
    close();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    console.log(postgres.stateOf(error) ?? codeOf(error) ?? codeOf(cause) ?? 'failed');
  }
}
