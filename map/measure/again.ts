/** `bun run map again FOLDER`: asks a tool once more what a kept folder is about, and prints the answers that are not right, or all if each is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readAdapters } from './adapter.ts';
import { as30, readCases } from './case.ts';
import { install } from './installation.ts';
import { type Again, againFile } from './keep.ts';
import { measure } from './measure.ts';

const [folder = '.'] = process.argv.slice(2);
const path = join(folder, againFile);
if (!existsSync(path)) {
  console.error(`${folder} is no folder that \`bun run map --keep\` has written.`);
  process.exit(2);
}
const { tool, version, feature: id, ability, variant, openapi }: Again = await Bun.file(path).json();
const adapter = (await readAdapters()).find((one) => one.id === tool);
const known = (await readCases()).find((one) => one.id === id);
if (adapter === undefined || known === undefined) throw new Error(`There is no ${tool}, or no ${id}`);
const feature = openapi.startsWith('3.0') && known.since === '3.0' ? as30(known) : known;
const variants = (feature.variants ?? []).filter(({ name }) => name === variant);
const only = { ...adapter, abilities: { [ability]: adapter.abilities[ability as keyof typeof adapter.abilities] } };
const results = await measure(only, await install(adapter, version), { ...feature, variants });
const failed = results.filter(({ grade }) => grade !== 'right');
for (const { check, observed, line = '', exchange = '' } of failed.length > 0 ? failed : results)
  console.log([`${check}: ${observed}`, line, exchange].filter(Boolean).join('\n'));
