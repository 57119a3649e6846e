/** The test files that test a source file. */
import { filesIn, importsOf } from './imports.ts';

/**
 * The test files that import the source file; if there are none, those that import a file that imports it, and so on. Both by their paths
 * from the root. Empty if no test leads to it.
 */
export const testsOf = (source: string): readonly string[] => {
  const importers = new Map<string, string[]>();
  for (const path of filesIn('src', 'db', 'console', 'tests'))
    for (const target of importsOf(path)) importers.set(target, [...(importers.get(target) ?? []), path]);
  const seen = new Set([source]);
  for (let level: readonly string[] = [source]; level.length > 0; ) {
    const next = [...new Set(level.flatMap((path) => importers.get(path) ?? []))].filter((path) => !seen.has(path));
    const tests = next.filter((path) => path.endsWith('.test.ts'));
    if (tests.length > 0) return tests.sort();
    for (const path of next) seen.add(path);
    level = next;
  }
  return [];
};
