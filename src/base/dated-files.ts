/** Files of a folder that have the time in their names, such as `plants-2026-05-01T03-00-00Z.sqlite`. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './error.ts';

export const datedName = (now: Date): string => `plants-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sqlite`;

const form = /^plants-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite$/;

/** Removes all but the newest dated files. Returns the names of the removed ones. */
export const removeOldest = (folder: string, kept: number): string[] => {
  const names = readdirSync(folder)
    .filter((name) => form.test(name))
    .sort();
  const removed = names.slice(0, -kept);
  for (const name of removed) rmSync(join(folder, name));
  return removed;
};

/** When the newest complete file in the folder was written, in milliseconds since the Unix epoch, or 0 without one. Its name does not matter. */
export const newestTime = (folder: string): number => {
  try {
    const stats = readdirSync(folder)
      .filter((name) => !name.endsWith('.new'))
      .flatMap((name) => statSync(join(folder, name), { throwIfNoEntry: false }) ?? []);
    return Math.max(0, ...stats.filter((stat) => stat.isFile()).map(({ mtimeMs }) => mtimeMs));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return 0;
  }
};
