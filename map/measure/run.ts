/**
 * `bun run map [--tool NAME]… [--feature ID]… [--fresh]`: measures what changed since the committed results, writes them, and prints what
 * differs. `--version V` measures another version of one tool, and compares it with the committed results, with `--against REPORT`, or with
 * a second `--version W`; `--remember` keeps its results in the history of the tool. `--check` measures the tools that are pinned and quick, writes nothing, and fails if anything differs.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { featuresPage } from '../features-page.ts';
import { type Adapter, readAdapters } from './adapter.ts';
import { readCases } from './case.ts';
import { choose } from './choose.ts';
import { differencesBetween, headOf, type Measured } from './compare.ts';
import { type MapData, measuredToolOf, readMapData } from './data.ts';
import { NotInstalled } from './installation.ts';
import { keep } from './keep.ts';
import { measureTool } from './measure-tool.ts';
import { type Results, readResults, rememberVersion } from './results.ts';
import { forVersionsOf } from './version.ts';

const usage = (message: string): never => {
  console.error(message);
  process.exit(2);
};

const { values: options } = parseArgs({
  options: {
    tool: { type: 'string', multiple: true },
    feature: { type: 'string', multiple: true },
    version: { type: 'string', multiple: true, default: [] },
    against: { type: 'string' },
    fresh: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    remember: { type: 'boolean', default: false },
  },
});

const allCases = await readCases();
const cases = choose(allCases, options.feature, 'feature');
const tools = choose(await readAdapters(), options.tool, 'tool').filter(({ isQuick }) => isQuick || !options.check);
const [firstVersion, secondVersion, ...others] = options.version;
const [onlyTool] = tools;
if (firstVersion !== undefined && (onlyTool === undefined || tools.length > 1)) usage('--version needs one --tool');
if (others.length > 0 || (secondVersion !== undefined && options.against !== undefined))
  usage('Two measurements are compared, not more');

const problems: string[] = [];
const reports = join(import.meta.dir, '../../reports');
mkdirSync(reports, { recursive: true });
const current = await readMapData();
const before = options.against === undefined ? current : await readReport(options.against);

let count = 0;
if (options.keep) await keepAll();
else if (onlyTool !== undefined && firstVersion !== undefined) await compareVersions(onlyTool, firstVersion);
else for (const tool of tools) await update(tool);
if (firstVersion === undefined && !options.check && !options.keep)
  await Bun.write(join(import.meta.dir, '../FEATURES.md'), await featuresPage());
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 || (options.check && count > 0) ? 1 : 0);

/** A folder for each time that the tool is asked. */
async function keepAll(): Promise<void> {
  if (options.tool === undefined || options.feature === undefined) usage('--keep needs a --tool and a --feature');
  for (const adapter of tools)
    for (const one of cases) {
      const version = firstVersion ?? adapter.version;
      const answers = readResults(adapter, version)?.answers ?? {};
      const root = join(reports, 'kept', adapter.id, one.id);
      for (const { folder } of await keep(adapter, forVersionsOf(one, answers), { version, root }))
        console.log(`sh ${relative(process.cwd(), join(folder, 'repeat.sh'))}`);
    }
}

async function update(adapter: Adapter): Promise<void> {
  const results = await measured(adapter, adapter.version);
  if (results) print(before.tools, [measuredToolOf(adapter, results)]);
  if (!options.check) await Bun.write(join(reports, 'map.json'), JSON.stringify(await readMapData(), null, 2));
}

async function compareVersions(adapter: Adapter, version: string): Promise<void> {
  const first = await measured(adapter, version);
  const second = secondVersion === undefined ? undefined : await measured(adapter, secondVersion);
  if (first === undefined || (second === undefined && secondVersion !== undefined)) return;
  const [from, to] = second
    ? [reportOn(adapter, first), reportOn(adapter, second)]
    : [before, reportOn(adapter, first)];
  for (const report of second ? [from, to] : [to])
    await Bun.write(
      join(reports, `map-${adapter.id}@${report.tools[0]?.version}.json`),
      JSON.stringify(report, null, 2),
    );
  if (options.remember)
    for (const { version: measuredVersion } of second ? [first, second] : [first])
      await rememberVersion(adapter, measuredVersion);
  const old = from.tools.find(({ id }) => id === adapter.id);
  console.log(`from ${adapter.id}@${old?.version ?? '(not measured)'}: ${headOf(from)}`);
  console.log(`to ${adapter.id}@${to.tools[0]?.version}: ${headOf(to)}`);
  print(from.tools, to.tools);
}

/** A report with one tool. */
function reportOn(adapter: Adapter, results: Results): MapData {
  const { date, commit, environment } = results;
  return { ...current, date, commit, environment, tools: [measuredToolOf(adapter, results)] };
}

async function measured(adapter: Adapter, version: string): Promise<Results | undefined> {
  try {
    return await measureTool(adapter, {
      version,
      cases,
      isFresh: options.fresh || options.check,
      isDry: options.check,
    });
  } catch (error) {
    if (!(error instanceof NotInstalled)) problems.push(`The adapter ${adapter.id} failed: ${textOf(error)}`);
    // What was asked for by its version, or is checked, must be there.
    else if (options.check || firstVersion !== undefined) problems.push(`${adapter.id}@${version}: ${error.message}`);
    else console.error(`${adapter.id}@${version} is skipped: ${error.message}`);
    return undefined;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.stack}` : `${error}`;
}

function print(from: readonly Measured[], to: readonly Measured[]): void {
  const measuredIds = cases.map(({ id }) => id);
  const lines = differencesBetween(from, to, (feature) => measuredIds.includes(feature));
  count += lines.length;
  for (const line of lines) console.log(line);
  if (lines.length === 0 && firstVersion !== undefined) console.log('No verdict and no check differs.');
}

async function readReport(path: string): Promise<MapData> {
  return existsSync(path) ? Bun.file(path).json() : usage(`There is no report ${path}`);
}
