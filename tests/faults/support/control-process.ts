/** The control of `control.ts`. It writes a line for each work, and ends when its stdin does. */
import { writeSync } from 'node:fs';
import { pauseMs, workMs } from './control.ts';

const now = (): number => performance.timeOrigin + performance.now();

/** Counts until it has used its CPU time. Returns what it used. */
const work = (): number => {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= 1000 * workMs) return (user + system) / 1000;
    for (let n = 0; n < 10_000; n += 1);
  }
};

process.stdin.on('end', () => process.exit());
process.stdin.resume();

for (let fromMs = now(); ; ) {
  await Bun.sleep(pauseMs);
  const cpuMs = work();
  const toMs = now();
  writeSync(1, `${fromMs} ${toMs} ${cpuMs}\n`);
  fromMs = toMs;
}
