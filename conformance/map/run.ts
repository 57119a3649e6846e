/**
 * `bun run map [--tool NAME]… [--feature ID]… [--fresh] [--version V]`: measures what changed since the committed results, and writes
 * them. It prints each verdict that differs from the one before. Another version than that of the adapter is compared, and not written.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Adapter, readAdapters } from './adapter.ts';
import { type Case, readCases } from './case.ts';
import { readMapData } from './data.ts';
import { environment, headCommit } from './environment.ts';
import { install, NotInstalled } from './installation.ts';
import { measure } from './measure.ts';
import { type Answers, type Results, readResults, writeResults } from './results.ts';
import { hashOf } from './source-hash.ts';
import { sentenceOf, verdictOf } from './verdict.ts';

const { values: options } = parseArgs({
  options: {
    tool: { type: 'string', multiple: true },
    feature: { type: 'string', multiple: true },
    fresh: { type: 'boolean', default: false },
    version: { type: 'string' },
  },
});

const today = new Date().toISOString().slice(0, 10);
const problems: string[] = [];

const choose = <T extends { readonly id: string }>(
  all: readonly T[],
  chosen: readonly string[] | undefined,
  what: string,
): T[] => {
  for (const id of chosen ?? [])
    if (!all.some((one) => one.id === id)) {
      console.error(`There is no ${what} ${id}. There are: ${all.map((one) => one.id).join(', ')}`);
      process.exit(2);
    }
  return all.filter(({ id }) => chosen === undefined || chosen.includes(id));
};

const allCases = await readCases();
const cases = choose(allCases, options.feature, 'feature');
const adapters = choose(await readAdapters(), options.tool, 'tool');
if (options.version !== undefined && adapters.length !== 1) {
  console.error('--version needs one --tool');
  process.exit(2);
}

for (const adapter of adapters) await measureTool(adapter);

const reports = join(import.meta.dir, '../../reports');
mkdirSync(reports, { recursive: true });
await Bun.write(join(reports, 'map.json'), JSON.stringify(await readMapData(), null, 2));
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

async function measureTool(adapter: Adapter): Promise<void> {
  const version = options.version ?? adapter.version;
  const isPinned = version === adapter.version;
  const before = readResults(adapter.id);
  const isOld = before?.version === version ? (feature: Case) => before.answers[feature.id] : () => undefined;
  const due = cases.filter(
    (feature) => options.fresh || !isPinned || isOld(feature)?.hash !== hashOf(adapter, feature, version),
  );
  if (due.length === 0) return;
  try {
    const installation = await install(adapter, version);
    const known = Object.entries((before?.version === version && before.answers) || {});
    // A case that no longer exists leaves the results with the next measurement.
    const answers: Record<string, Answers> = Object.fromEntries(
      known.filter(([id]) => allCases.some((one) => one.id === id)),
    );
    for (const [index, feature] of due.entries()) {
      const startedAt = performance.now();
      const checks = await measure(adapter, installation, feature);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      answers[feature.id] = { hash: hashOf(adapter, feature, version), date: today, checks };
      const verdict = verdictOf(checks)?.verdict ?? '–';
      console.error(`${adapter.id}@${version} ${index + 1}/${due.length} ${feature.id}: ${verdict} (${seconds} s)`);
      printChange(adapter, feature, before?.answers[feature.id], checks);
      const results: Results = { version, date: today, commit: headCommit(), environment, answers };
      if (isPinned) await writeResults(adapter.id, results);
    }
  } catch (error) {
    if (error instanceof NotInstalled) console.error(`${adapter.id}@${version} is skipped: ${error.message}`);
    else problems.push(`The adapter ${adapter.id} failed: ${error instanceof Error ? error.stack : error}`);
  }
}

/** Compares with the committed results, or with what was observed by hand. */
function printChange(
  { id, name }: Adapter,
  feature: Case,
  before: Answers | undefined,
  checks: Answers['checks'],
): void {
  const now = verdictOf(checks);
  const old = before ? verdictOf(before.checks)?.verdict : undefined;
  if (now?.verdict === old) return;
  console.log(
    `${name} (${id}), ${feature.id}: ${old ?? 'not measured'} → ${now?.verdict ?? 'none'}. ${now ? sentenceOf(now, checks) : ''}`,
  );
}
