/** A million plants on PostgreSQL: their import compared with psql's `\copy`, and a page at the end compared with the first. */
import { temporaryFolder } from '../../tests/support/folder.ts';
import { type Ratio, secondsOf, writePlants } from '../own/works.ts';
import { middle } from '../support/measure.ts';
import { rounds } from '../support/options.ts';
import type { Server } from '../support/postgres-server.ts';
import { plantStore, type Running, run, runPlantStore } from '../support/servers.ts';
import { add, measureOn, medianOf, type PostgresMeasured, printMeasuredOn } from './measure.ts';

const million = 1_000_000;

/**
 * Compares the import of a file with `\copy` of the same rows into the same tables with their indices: plants and events, in one
 * transaction, from files that psql has written from the imported rows.
 */
export const compareImportOn = async (server: Server): Promise<Ratio> => {
  using folder = temporaryFolder();
  await writePlants(folder.file('plants.csv'), million);
  const [ours, copies]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}: import of ${million} plants`);
    await using imported = await server.createDatabase();
    await runPlantStore('migrate', '--database', imported.url);
    await imported.settle();
    ours.push(await secondsOf(() => runPlantStore('import', folder.file('plants.csv'), '--database', imported.url)));
    if (round === 1) await copy(imported.url, 'TO', folder);

    await using copied = await server.createDatabase();
    await runPlantStore('migrate', '--database', copied.url);
    await copied.settle();
    copies.push(await secondsOf(() => copy(copied.url, 'FROM', folder)));
  }
  console.log(
    `import of a million: ${middle(ours).toFixed(1)} s; \\copy of the same: ${middle(copies).toFixed(1)} s\n`,
  );
  return [
    'import of a million, speed relative to \\copy into the same tables and indices',
    middle(copies) / middle(ours),
  ];
};

/** Copies plants and events to files, or from files. */
const copy = async (url: string, direction: 'TO' | 'FROM', folder: { file(name: string): string }): Promise<void> => {
  const commands = ['plants', 'events'].map((table) => `\\copy ${table} ${direction} '${folder.file(table)}'`);
  const options = ['--no-psqlrc', '--quiet', '--single-transaction', '--set', 'ON_ERROR_STOP=1', '--dbname', url];
  const psql = Bun.spawn(['psql', ...options, ...commands.flatMap((command) => ['--command', command])]);
  if ((await psql.exited) !== 0) throw new Error('psql has failed');
};

/** Compares the page of the first hundred plants with that of the hundred after the first million. */
export const comparePagesOn = async (server: Server): Promise<Ratio[]> => {
  using folder = temporaryFolder();
  console.error('making a table of a million plants');
  await using database = await server.createDatabase();
  await writePlants(folder.file('plants.csv'), million + 1000);
  await runPlantStore('import', folder.file('plants.csv'), '--database', database.url);
  await database.settle();
  await using running = await run(plantStore({ database: database.url }));
  const [first, last] = ['the first page', 'the page at row 1,000,000'];
  const paths = { [first]: '/plants?limit=100', [last]: await findPage(running) };
  const ratios: Ratio[] = [];
  for (const connections of [1, 128]) {
    const measured: PostgresMeasured = new Map();
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, path] of Object.entries(paths)) {
        console.error(`round ${round} of ${rounds}: ${name}, ${connections}`);
        add(measured, name, await measureOn(server, running, { load: 'list', connections, path }));
      }
    }
    printMeasuredOn(`list 100, ${connections}`, measured);
    for (const [what, figure] of [
      ['p50', 'p50Ms'],
      ['CPU of the service', 'serviceUs'],
      ['CPU of PostgreSQL', 'postgresUs'],
    ] as const)
      ratios.push([
        `list, ${connections}: ${what} of ${last}, ratio to the first`,
        medianOf(measured, last, figure) / medianOf(measured, first, figure),
      ]);
  }
  return ratios;
};

/** Follows the links over a million plants, and returns the path of the next hundred. */
const findPage = async ({ url, token }: Running): Promise<string> => {
  const headers = { authorization: `Bearer ${token}` };
  let path = '/plants?limit=1000';
  for (let plants = 0; plants < million; plants += 1000) {
    const address = new URL(path, url);
    const response = await fetch(address, { headers });
    await response.arrayBuffer();
    const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    if (next === undefined) throw new Error(`no page after ${path}`);
    path = new URL(next, address).href;
  }
  const page = new URL(path, url);
  page.searchParams.set('limit', '100');
  const text = await (await fetch(page, { headers })).text();
  if (!text.includes(`"id":${million + 1},`)) throw new Error(`the response to ${page} is ${text}`);
  return `${page.pathname}${page.search}`;
};
