/**
 * Damages the database of a running server, page by page, in a file that is too large for the check of each start. Each response must be the
 * right plant, or name the damage: 500 (50000) without `Retry-After`. After the first such response, the log has an error, the server is not
 * ready and its metric is 1. A new server on the file is refused, or does the same; so do `backup`, `export` and `copy`.
 */
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { temporaryFolder } from '../../support/folder.ts';
import { type RunningServer, runProgram, startServer } from '../../support/programs/process.ts';
import type { Verdict } from '../support/verdict.ts';

const plants = 130_000;
/** As many as of the file in which the operators saw it first. */
const damagedPages = 20;
const damage = 'is damaged';

export const damageServedFile = async (
  pageBytes: number,
  expect: Verdict['expect'],
): Promise<Readonly<Record<string, number>>> => {
  using folder = temporaryFolder();
  const database = folder.file('served.sqlite');
  const rows = Array.from({ length: plants }, (_, id) => `{"id":${id},"name":"n${id}"}`).join('\n');
  writeFileSync(folder.file('plants.ndjson'), rows);
  await runProgram(['import', folder.file('plants.ndjson'), '--database', database]);
  const created = await runProgram(['token', 'create', '--name', 'a', '--database', database]);
  const headers = { authorization: `Bearer ${created.stdout.trim()}` };
  const pages = statSync(database).size / pageBytes;
  const found = { pages, 'requests that met damage': 0 };
  /** Not the first pages, which have the schema and the tokens. */
  const overwritten = Array.from(
    { length: damagedPages },
    (_, n) => 20 + Math.floor(((pages - 20) * n) / damagedPages),
  );
  const overwrite = (): void => {
    const file = openSync(database, 'r+');
    for (const page of overwritten) writeSync(file, Buffer.alloc(pageBytes, 0x5a), 0, pageBytes, page * pageBytes);
    closeSync(file);
  };

  const read = async ({ url }: RunningServer, id: number): Promise<void> => {
    const response = await fetch(`${url}/plants/${id}`, { headers });
    const text = await response.text();
    if (response.status === 200 && text.includes(`"name":"n${id}"`)) return;
    const isNamed = text.includes('"error":50000') && text.includes(damage) && !response.headers.has('retry-after');
    expect(response.status === 500 && isNamed, `plant ${id}: ${response.status} ${text}`);
    found['requests that met damage'] += 1;
  };

  const inspect = async (server: RunningServer): Promise<void> => {
    for (let id = 0; id < plants; id += 25) await read(server, id);
    const ready = await fetch(`${server.url}/readyz`);
    expect(ready.status === 503 && (await ready.text()).includes(damage), 'it is ready');
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
    expect(metrics.includes('plant_store_database_damaged 1'), 'the metric does not show it');
    const lines = server.log.filter(({ msg }) => `${msg}`.includes(damage));
    expect(lines.length > 0 && lines.every(({ level }) => level === 'error'), 'the log does not have it as an error');
    const write = await fetch(`${server.url}/plants`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"id":-1,"name":"late"}',
    });
    expect(write.status === 500, `a write after the damage: ${write.status}`);
  };

  {
    await using server = await startServer(database);
    overwrite();
    await inspect(server);
  }
  const before = readFileSync(database);
  await using again = await startServer(database);
  await inspect(again);
  for (const args of [
    ['backup', folder.file('copy')],
    ['export', '-'],
  ]) {
    const { exitCode, stderr } = await runProgram([...args, '--database', database]);
    expect(exitCode === 1 && stderr.includes(damage), `${args[0]}: ${exitCode} ${stderr}`);
  }
  await again[Symbol.asyncDispose]();
  const { exitCode, stderr } = await runProgram(['copy', database, folder.file('target')]);
  expect(exitCode === 1 && stderr.includes(damage), `copy: ${exitCode} ${stderr}`);
  expect(readFileSync(database).equals(before), 'the damaged file was changed');
  return found;
};
