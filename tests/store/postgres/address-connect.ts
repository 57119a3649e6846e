/** Prints the first row that a query on each database gives, or the code of the error. It shows what the environment changes. */
import { SQL } from 'bun';
import { codeOf } from '../../../src/base/error.ts';
import { parsePostgresUrl } from '../../../src/base/postgres-url.ts';
import { addressesOf } from '../../../src/store/postgres/address.ts';

const [query = '', ...urls] = process.argv.slice(2);
for (const url of urls) {
  try {
    const [address] = addressesOf(parsePostgresUrl(url));
    await using sql = new SQL({ ...address, max: 1 });
    const [row] = await sql.unsafe(query);
    console.log(JSON.stringify(row));
  } catch (error) {
    console.log(codeOf(error));
  }
}
