/**
 * Imports 100,000 plants with ids of 64 bits and all kinds of text, from NDJSON and CSV in turn. The first import is killed at a random
 * moment: then all of the plants must be there, or none. After the next import the export must have exactly these plants, and an export
 * of a store that was made from this export must have the same bytes. Memory must stay bounded.
 *
 *     bun tests/faults/import.ts [--rounds 10] [--seed 1]        a round is one file
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '../support/folder.ts';
import { programName, underTest } from '../support/programs/process.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(10);
const plantsOfFile = 100_000;
/** docs/import-export.md has what was measured on Bun. The heap of Deno and Node grows until memory is short. */
const memoryMebibytesMax = /^(?:deno|node)/.test(programName) ? 600 : 400;

const { expect, expectPace, end } = createVerdict();
const most = { 'seconds of an import': 0, 'seconds of an export': 0, 'MiB of an import': 0, 'MiB of an export': 0 };
let kills = 0;

/** Runs the command, kills it after this time, and resolves to whether it was successful. */
const run = async (
  command: 'import' | 'export',
  file: string,
  database: string,
  killedAfterMs?: number,
): Promise<boolean> => {
  const startedAtMs = performance.now();
  const child = Bun.spawn([...underTest, command, file, '--database', database], {
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const timer = killedAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killedAfterMs);
  const isDone = (await child.exited) === 0;
  clearTimeout(timer);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const mebibytes = (child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20;
  most[`seconds of an ${command}`] = Math.max(most[`seconds of an ${command}`], Math.round(10 * seconds) / 10);
  most[`MiB of an ${command}`] = Math.max(most[`MiB of an ${command}`], Math.round(mebibytes));
  expectPace(mebibytes < memoryMebibytesMax, `an ${command} took ${Math.round(mebibytes)} MiB`);
  return isDone;
};

const texts = [
  'Monstera',
  '',
  ' ',
  '"',
  "=1+1, 'quoted'",
  'two\r\nlines',
  'ü🌿\u{10ffff}',
  '\u0001\u2028',
  '\\n\\u0041',
];
const pick = (): string => texts[Math.floor(texts.length * random())] ?? '';

interface Row {
  readonly id: bigint;
  readonly name: string;
  readonly tag: string | undefined;
}

/** Plants in the order of their ids. */
const createRows = (): readonly Row[] => {
  const ids = new Set([0n, 2n ** 53n + 1n, 2n ** 63n - 1n]);
  while (ids.size < plantsOfFile) ids.add((BigInt(Math.floor(random() * 2 ** 32)) << 31n) | BigInt(ids.size % 2 ** 31));
  return [...ids]
    .sort((a, b) => (a < b ? -1 : 1))
    .map((id) => ({ id, name: `n${pick()}`, tag: random() < 0.5 ? pick() : undefined }));
};

const toJson = ({ id, name, tag }: Row): string => `{"id":${id},${JSON.stringify({ name, tag }).slice(1)}`;
const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const toCsv = ({ id, name, tag }: Row): string => `${id},${quote(name)},${tag === undefined ? '' : quote(tag)}`;

interface Format {
  readonly name: string;
  readonly write: (rows: readonly Row[]) => string;
  /** What an export adds to each row. */
  readonly times: RegExp;
}

const time = String.raw`"\d{4}-\d\d-\d\dT[\d:.]+Z"`;
const formats: readonly Format[] = [
  {
    name: 'ndjson',
    write: (rows) => rows.map((row) => `${toJson(row)}\n`).join(''),
    times: new RegExp(`,"createdAt":${time},"updatedAt":${time}(?=}\n)`, 'g'),
  },
  {
    name: 'csv',
    write: (rows) => ['id,name,tag', ...rows.map(toCsv), ''].join('\r\n'),
    times: new RegExp(`,createdAt,updatedAt(?=\r\n)|,${time},${time}(?=\r\n)`, 'g'),
  },
];

const play = async ({ name, write, times }: Format): Promise<void> => {
  using folder = temporaryFolder();
  const pathOf = (file: string): string => folder.file(`${file}.${name}`);
  const [database, copy] = [folder.file('plants.sqlite'), folder.file('copy.sqlite')];
  const text = write(createRows());
  writeFileSync(pathOf('given'), text);
  await createDatabase(database);

  const killedAfterMs = 1000 * Math.max(1, most['seconds of an import']) * random();
  const isDone = await run('import', pathOf('given'), database, killedAfterMs);
  if (!isDone) kills += 1;
  const { isWhole, isLogTrue, plants } = inspectDatabase(database);
  expect(isWhole && isLogTrue, `${name}: a kill has damaged the file`);
  expect(plants.size === 0 || plants.size === plantsOfFile, `${name}: a kill has left ${plants.size} plants`);
  expect(!isDone || plants.size > 0, `${name}: an import has no effect`);

  expect(await run('import', pathOf('given'), database), `${name}: an import failed`);
  expect(await run('export', pathOf('exported'), database), `${name}: an export failed`);
  const exported = readFileSync(pathOf('exported'), 'utf8');
  expect(exported.replaceAll(times, '') === text, `${name}: the export has other plants`);
  expect(await run('import', pathOf('exported'), copy), `${name}: an import of an export failed`);
  expect(await run('export', pathOf('again'), copy), `${name}: an export of a copy failed`);
  expect(readFileSync(pathOf('again'), 'utf8') === exported, `${name}: the export of a copy has other bytes`);
};

for (const round of rounds.each(2)) {
  const format = formats[round % formats.length];
  if (format) await play(format);
  console.error(`round ${round}`);
}
console.table([most]);
end({ rounds: rounds.count(), kills });
