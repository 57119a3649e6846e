/** The release. Only package.json has the version, and CHANGELOG.md has the date of each version. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';

export interface Release {
  readonly version: string;
  /** The day of the release, as YYYY-MM-DD. */
  readonly date: string;
}

/** The version of package.json with its date. Throws if CHANGELOG.md does not have this version. */
export const readRelease = (): Release => {
  const changelog = readFileSync(join(import.meta.dir, '../CHANGELOG.md'), 'utf8');
  const heading = new RegExp(`^## ${RegExp.escape(version)} - (\\d{4}-\\d{2}-\\d{2})$`, 'm');
  const date = heading.exec(changelog)?.[1];
  if (date === undefined) throw new Error(`CHANGELOG.md needs the heading "## ${version} - YYYY-MM-DD".`);
  return { version, date };
};
