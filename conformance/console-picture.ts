/** Draws the pictures of the console in the README: docs/console-light.png and docs/console-dark.png. The demo has some more plants there. */
import { join } from 'node:path';
import { demoToken } from '../src/tokens/sample.ts';
import { startDemo } from '../tests/support/programs/process.ts';
import { launch } from './browser.ts';

const plants = [
  [9007199254740993n, 'Monstera deliciosa', 'tropical'],
  [12n, 'Calathea orbifolia', 'tropical'],
  [21n, 'Aloe vera', 'succulent'],
  [34n, 'Nephrolepis exaltata', 'fern'],
  [-9223372036854775808n, 'Sansevieria', undefined],
] as const;

await using demo = await startDemo();
const headers = { authorization: `Bearer ${demoToken}`, 'content-type': 'application/json' };
for (const [id, name, tag] of plants) {
  const body = `{"id":${id},"name":"${name}"${tag === undefined ? '' : `,"tag":"${tag}"`}}`;
  const { ok, status } = await fetch(`${demo.url}/plants`, { method: 'POST', headers, body });
  if (!ok) throw new Error(`status ${status}`);
}
const browser = await launch();
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1100, height: 656 } });
  await page.goto(`${demo.url}/console#plants`);
  await page.getByText('Monstera deliciosa').waitFor();
  await page.screenshot({ path: join(import.meta.dir, `../docs/console-${colorScheme}.png`) });
}
await browser.close();
