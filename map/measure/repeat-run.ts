/**
 * `bun run map repeat [--tool T]… [--feature F]… [--sample N]`: writes the folders of each verdict that is not right, runs what they say, and
 * fails where the output has not the line that decides. A sample has N verdicts of the tools that CI measures, others each day.
 */
import { parseArgs } from 'node:util';
import { readAdapters } from './adapter.ts';
import { readCases } from './case.ts';
import { NotInstalled } from './installation.ts';
import { type Pair, pairsToRepeat, repeat, sampleOf } from './repeat.ts';

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
const pairs = options.sample === undefined ? all : sampleOf(all, Number(options.sample));
const counts = { repeated: 0, 'NOT repeated': 0, skipped: 0 };

/** What happened to it, and why. */
const outcomeOf = async (pair: Pair): Promise<readonly [keyof typeof counts, string?]> => {
  try {
    const problem = await repeat(pair);
    return problem === undefined ? ['repeated'] : ['NOT repeated', problem];
  } catch (error) {
    if (!(error instanceof NotInstalled)) throw error;
    return ['skipped', error.message];
  }
};

for (const [index, pair] of pairs.entries()) {
  const [outcome, reason] = await outcomeOf(pair);
  counts[outcome] += 1;
  const name = `${pair.adapter.id}, ${pair.feature.id}`;
  console.log(`${index + 1}/${pairs.length} ${outcome} ${name}${reason === undefined ? '' : `: ${reason}`}`);
}
console.log(
  `Verdicts: ${counts.repeated} repeated, ${counts['NOT repeated']} not repeated, ${counts.skipped} skipped.`,
);
process.exit(counts['NOT repeated'] > 0 ? 1 : 0);
