/**
 * `bun run map repeat [--tool T]… [--feature F]… [--sample N]`: writes the folders of each verdict that is not right, runs what they say, and
 * fails where the output has not the line that decides, or where there is nothing to repeat. A sample has N verdicts, others each day: of the
 * tools that are named, or else of those that CI measures.
 */
import { parseArgs } from 'node:util';
import { readAdapters } from './adapter.ts';
import { readCases } from './case.ts';
import { choose } from './choose.ts';
import { NotInstalled } from './installation.ts';
import { type Pair, pairsToRepeat, repeat, sampleOf } from './repeat.ts';

const { values: options } = parseArgs({
  options: {
    tool: { type: 'string', multiple: true },
    feature: { type: 'string', multiple: true },
    sample: { type: 'string' },
  },
});
const size = options.sample === undefined ? undefined : Number(options.sample);
if (size !== undefined && !(Number.isSafeInteger(size) && size > 0)) {
  console.error(`--sample needs a number of verdicts, and not "${options.sample}"`);
  process.exit(2);
}
const all = await readAdapters();
const adapters = options.tool === undefined && size !== undefined ? all.filter(({ isQuick }) => isQuick) : all;
const found = pairsToRepeat(
  choose(adapters, options.tool, 'tool'),
  choose(await readCases(), options.feature, 'feature'),
);
const pairs = size === undefined ? found : sampleOf(found, size);
if (pairs.length === 0) {
  console.error('There is no verdict to repeat: all that were chosen are right, or were not asked.');
  process.exit(1);
}
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
// A tool that cannot be installed is skipped. Where all are, nothing is shown.
process.exit(counts['NOT repeated'] > 0 || counts.repeated === 0 ? 1 : 0);
