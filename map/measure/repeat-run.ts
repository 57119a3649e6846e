/**
 * `bun run map repeat [--tool T]… [--feature F]… [--sample N]`: writes the folders of each verdict that is not right, runs what they say, and
 * fails where the output has not the line that decides. A sample has N verdicts of the tools that CI measures, others each day.
 */
import { parseArgs } from 'node:util';
import { readAdapters } from './adapter.ts';
import { readCases } from './case.ts';
import { NotInstalled } from './installation.ts';
import { pairsToRepeat, repeat, sampleOf } from './repeat.ts';

const { values: options } = parseArgs({
  options: {
    tool: { type: 'string', multiple: true },
    feature: { type: 'string', multiple: true },
    sample: { type: 'string' },
  },
});
const isChosen = (ids: readonly string[] | undefined, id: string) => ids === undefined || ids.includes(id);
const adapters = (await readAdapters()).filter(
  ({ id, isQuick }) => isChosen(options.tool, id) && (isQuick || options.sample === undefined),
);
const cases = (await readCases()).filter(({ id }) => isChosen(options.feature, id));
const all = pairsToRepeat(adapters, cases);
let failures = 0;
for (const pair of options.sample === undefined ? all : sampleOf(all, Number(options.sample))) {
  const { tool, feature, problem } = await repeat(pair).catch((error: unknown) => {
    if (!(error instanceof NotInstalled)) throw error;
    return { tool: pair.adapter.id, feature: `${pair.feature.id} is skipped: ${error.message}`, problem: undefined };
  });
  console.log(
    `${problem === undefined ? 'repeated' : 'NOT repeated'} ${tool}, ${feature}${problem ? `: ${problem}` : ''}`,
  );
  failures += problem === undefined ? 0 : 1;
}
console.log(`${failures} verdicts were not repeated.`);
process.exit(failures > 0 ? 1 : 0);
