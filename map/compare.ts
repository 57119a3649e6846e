/** `bun run map compare OLD.json [NEW.json]`: what differs between two reports. The newer one is `reports/map.json` by default. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { differencesBetween, headOf } from './measure/compare.ts';
import type { MapData } from './measure/data.ts';

const [oldPath, newPath = join(import.meta.dir, '../reports/map.json')] = process.argv.slice(2);

const read = async (path: string): Promise<MapData> => {
  if (existsSync(path)) return Bun.file(path).json();
  console.error(`There is no report ${path}. \`bun run map\` writes reports/map.json.`);
  process.exit(2);
};

if (oldPath === undefined) {
  console.error('Usage: bun run map compare OLD.json [NEW.json]');
  process.exit(2);
}

const [before, after] = [await read(oldPath), await read(newPath)];
console.log(`from ${headOf(before)}\nto ${headOf(after)}`);
const left = before.tools.filter(({ id }) => !after.tools.some((tool) => tool.id === id));
const all = [...after.tools, ...left.map((tool) => ({ ...tool, verdicts: [] }))];
for (const { id, version } of after.tools) {
  const old = before.tools.find((tool) => tool.id === id)?.version;
  if (old !== version) console.log(`${id}: version ${old ?? 'none'} → ${version}`);
}
const lines = differencesBetween(before.tools, all);
for (const line of lines.length === 0 ? ['No verdict and no check differs.'] : lines) console.log(line);
