/**
 * `bun run conformance`: runs third-party tools on the document and the server, prints a table with a row for each tool, and
 * writes it to `reports/conformance.json`. The exit code is 0 if everything passed and each tool has its row.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readTestCases } from '../tests/support/project/junit.ts';
import { readPins } from './pins.ts';
import { type Result, type Row, reportOn } from './report.ts';
import { tools } from './runs.ts';

const reports = join(import.meta.dir, '../reports');
mkdirSync(reports, { recursive: true });

const run = async (...command: string[]): Promise<{ passed: boolean; seconds: number }> => {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: import.meta.dir,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const passed = (await child.exited) === 0;
  return { passed, seconds: (performance.now() - startedAt) / 1000 };
};

const runScript = async (script: string): Promise<Result> => {
  const { passed, seconds } = await run('run', script);
  return { run: { script }, outcome: passed ? 'passed' : 'failed', seconds };
};

const runTests = async (): Promise<{ passed: boolean; results: Result[] }> => {
  const path = join(reports, 'conformance.xml');
  rmSync(path, { force: true });
  const { passed } = await run('test', '--reporter=junit', `--reporter-outfile=${path}`);
  const testCases = existsSync(path) ? readTestCases(readFileSync(path, 'utf8')) : [];
  const results = testCases.map(({ file, name, outcome, seconds }) => ({
    run: { file: `conformance/${file}`, test: name },
    outcome,
    seconds,
  }));
  return { passed, results };
};

if (!(await run('run', 'python')).passed)
  console.log('Python with venv and pip is not installed. Its tools are skipped.');

const { scripts } = await Bun.file(join(import.meta.dir, 'package.json')).json();
const results: Result[] = [];
for (const script of Object.keys(scripts))
  if (/^(?:lint|generate):|^types$/.test(script)) results.push(await runScript(script));
const tests = await runTests();

const report = reportOn(tools, readPins(), [...results, ...tests.results]);
await Bun.write(join(reports, 'conformance.json'), JSON.stringify(report, null, 2));
printTable(report.rows);
for (const problem of report.problems) console.log(problem);

const isElseRight = report.problems.length === 0 && results.every(({ outcome }) => outcome === 'passed');
// Of a run of tests, CI runs once more what failed by its pace alone (.ci/second-look.ts).
if (isElseRight) await Bun.write(join(reports, 'conformance.command'), 'bun run --cwd conformance test');
process.exit(tests.passed && isElseRight ? 0 : 1);

function printTable(rows: readonly Row[]): void {
  const lines = rows.map(({ tool, version, ran, verdict, reason, seconds }) => {
    return [
      tool,
      { version, verdict, because: reason ?? '', seconds, ran: ran.join(', ').replaceAll('conformance/', '') },
    ] as const;
  });
  console.table(Object.fromEntries(lines), ['version', 'verdict', 'because', 'seconds', 'ran']);
}
