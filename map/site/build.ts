/** `bun run map site`: writes the site to `dist/site`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readMapData } from '../measure/data.ts';
import { readNamedFiles } from '../measure/files.ts';
import { filesOf } from './site.ts';

const folder = join(import.meta.dir, '../../dist/site');
rmSync(folder, { recursive: true, force: true });
/** `https://map.example/`: badges and feeds have the absolute address. */
const given = process.env['MAP_URL'] ?? '';
const url = given === '' || given.endsWith('/') ? given : `${given}/`;
/** Where a reader opens an issue. */
const repository = process.env['MAP_REPOSITORY'] ?? '';
const files = await filesOf(await readMapData(), { named: await readNamedFiles(), url, repository });
for (const [path, content] of files) await Bun.write(join(folder, path), content);
console.log(`${files.size} files in dist/site. Open dist/site/index.html, or copy the folder to any static host.`);
