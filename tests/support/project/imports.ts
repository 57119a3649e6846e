/** The source files of the program, and what each of them imports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The files of TypeScript in these folders, by their paths from the root. A part of the project, such as the console, may be deleted. */
export const filesIn = (...folders: readonly string[]): readonly string[] =>
  folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
        .map((name) => join(folder, name)),
    );

/** Every source file of the program. */
export const sources: readonly string[] = filesIn('src', 'db');

/** The text of a file, by its path from the root. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/**
 * What a file imports: paths from the root for the program's own files, names for packages. What each runtime has in a file of its own
 * is the file of its interface, which has the name of its folder.
 */
export const importsOf = (path: string): string[] => {
  const statements = /^(?:import|export)\b(?:[^;']*\bfrom)? '([^']+)'|\bimport\(\s*'([^']+)'/gm;
  const specifiers = [...read(path).matchAll(statements)].map(([, from, direct]) => from ?? direct ?? '');
  return specifiers.map((specifier) => {
    if (specifier === '#runtime') return 'src/runtime/runtime.ts';
    if (specifier.startsWith('#runtime/')) return `${specifier.replace('#runtime', 'src')}/${basename(specifier)}.ts`;
    return specifier.startsWith('.') ? relative(root, join(root, dirname(path), specifier)) : specifier;
  });
};

/** The files that a file of a checkout cannot be loaded without, by their paths from the root. */
export const staticImportsOf = (path: string, checkout: string): string[] =>
  [...readFileSync(join(checkout, path), 'utf8').matchAll(/^(?:import|export)\b(?:[^;']*\bfrom)? '(\.[^']+)'/gm)].map(
    ([, specifier = '']) => join(dirname(path), specifier),
  );

/** The first circle of imports that is found: its files in the order of their imports. Absent if there is none. */
export const findCircle = (
  imports: (path: string) => readonly string[],
  paths: readonly string[],
): string[] | undefined => {
  const finished = new Set<string>();
  let circle: string[] | undefined;
  const visit = (path: string, importers: readonly string[]): void => {
    if (circle || finished.has(path)) return;
    if (importers.includes(path)) circle = importers.slice(importers.indexOf(path));
    for (const target of imports(path)) visit(target, [...importers, path]);
    finished.add(path);
  };
  for (const path of paths) visit(path, []);
  return circle;
};
