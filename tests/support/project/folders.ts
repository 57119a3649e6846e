/** The folders of the program, and what each imports, types included. */
import { dirname } from 'node:path';
import { importsOf, sources } from './imports.ts';

/** By the name of a folder, the folders that it imports. */
export type FolderImports = ReadonlyMap<string, ReadonlySet<string>>;

/** A folder of `src/` with all that is in it, `db`, or a file that is directly in `src/`. */
export const roomOf = (path: string): string => /^src\/[^/]+|^db/.exec(path)?.[0] ?? path;

/** The imports between folders of files, which `folderOf` finds by their paths. */
export const importsOfFolders = (folderOf: (path: string) => string = roomOf, files = sources): FolderImports => {
  const imports = new Map<string, Set<string>>();
  for (const path of files) {
    const folder = folderOf(path);
    const targets = imports.get(folder) ?? new Set();
    imports.set(folder, targets);
    for (const target of importsOf(path).filter((target) => /^(?:src|db)\//.test(target)))
      if (folderOf(target) !== folder) targets.add(folderOf(target));
  }
  return imports;
};

/** The folder that a file is in, without those around it; a file that is directly in `src/` is one of its own. */
export const innermostOf = (path: string): string => (dirname(path) === 'src' ? path : dirname(path));

/** All folders that the imports of a folder lead to. */
export const reachedFrom = (folder: string, imports: FolderImports, seen = new Set<string>()): ReadonlySet<string> => {
  for (const target of imports.get(folder) ?? []) {
    if (seen.has(target)) continue;
    seen.add(target);
    reachedFrom(target, imports, seen);
  }
  return seen;
};

/** The imports of a folder that none of its other imports leads to. */
export const directImports = (folder: string, imports: FolderImports): readonly string[] => {
  const targets = [...(imports.get(folder) ?? [])].sort();
  return targets.filter(
    (target) => !targets.some((other) => other !== target && reachedFrom(other, imports).has(target)),
  );
};
