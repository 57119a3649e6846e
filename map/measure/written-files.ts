/** The files that an adapter writes for a command of the tool, such as a ruleset or a configuration. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface WrittenFiles {
  /** To be called before a command that is evidence. */
  readonly collect: () => void;
  /** To be called after each command: what is there then was written by the tool, unless it changes. */
  readonly settle: () => void;
  readonly texts: ReadonlyMap<string, string>;
  /** Whether the adapter has changed a file that a command had written. That command would write it again as it was. */
  readonly hasChangedOutput: () => boolean;
}

/** What every folder has: the document, and the documents that a case makes of it. */
export const isOfCase = (name: string): boolean =>
  /^(?:openapi\.(?:yaml|json)|(?:mistake|changed)-\d+\.json)$/.test(name);

const bytesMax = 20_000;

export const watchFiles = (folder: string, beside: ReadonlyMap<string, string> = new Map()): WrittenFiles => {
  const texts = new Map<string, string>();
  let known = new Map<string, number>();
  let hasChanged = false;
  const files = () =>
    readdirSync(folder)
      .filter((name) => !isOfCase(name) && !beside.has(name))
      .map((name) => ({ name, stat: lstatSync(join(folder, name)) }))
      .filter(({ stat }) => stat.isFile());
  return {
    texts,
    collect: () => {
      for (const { name, stat } of files()) {
        if (known.get(name) === stat.mtimeMs) continue;
        hasChanged ||= known.has(name) && !texts.has(name);
        if (stat.size <= bytesMax) texts.set(name, readFileSync(join(folder, name), 'utf8'));
      }
    },
    hasChangedOutput: () => hasChanged,
    settle: () => {
      known = new Map(files().map(({ name, stat }) => [name, stat.mtimeMs]));
    },
  };
};
