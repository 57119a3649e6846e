/** docs/architecture.md: the layers of the program and the imports between them. */
import { importsOf, sources } from '../../tests/support/project/imports.ts';
import { layerOf, layers } from '../../tests/support/project/layers.ts';
import { code, table } from './markdown.ts';

export const renderArchitecture = (): string => {
  const imports = importsOfLayers();
  const arrow = (from: string, to: string): string => (isOptional(from, to) ? '-.->' : '-->');
  // A layer imports only layers that are listed before it.
  const names = layers.map(({ name }) => name).toReversed();
  return `# Architecture

An arrow leads from a layer to a layer that it imports; imports run one way only. A folder of a resource, such as \`src/plants/\`, has files of several
layers: its rules, rows, queries in SQLite and operations. \`tests/support/project/layers.ts\` lists the files of each layer, and
[CONTRIBUTING.md](../CONTRIBUTING.md#the-folders) says what each folder is for. Arrows that others imply are left out. The dotted arrow is an engine that
only its URL loads.

\`\`\`mermaid
flowchart TD
${names.flatMap((name) => directly(name, imports).map((target) => `  ${idOf(name)}[${name}] ${arrow(name, target)} ${idOf(target)}[${target}]`)).join('\n')}
\`\`\`

${table(
  ['layer', 'packages'],
  names.filter((name) => packagesOf(name).length > 0).map((name) => [name, packagesOf(name).map(code).join(', ')]),
)}
`;
};

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

const importsOfLayers = (): Imports => {
  const imports = new Map<string, Set<string>>();
  for (const path of sources) {
    const layer = layerOf(path)?.name ?? '';
    const targets = imports.get(layer) ?? new Set();
    imports.set(layer, targets);
    for (const target of importsOf(path).filter(isOwn)) {
      const other = layerOf(target)?.name ?? '';
      if (other !== layer && !(layer === 'db' && other === 'rules')) targets.add(other);
    }
  }
  return imports;
};

const isOwn = (target: string): boolean => /^(?:src|db)\/.*\.ts$/.test(target);

/** Whether the program works without what is imported. */
const isOptional = (from: string, to: string): boolean => from === 'engines' && to === 'postgres';

/** All layers that the imports of a layer lead to. */
const reachedFrom = (layer: string, imports: Imports): ReadonlySet<string> => {
  const targets = [...(imports.get(layer) ?? [])].filter((target) => !isOptional(layer, target));
  return new Set(targets.flatMap((target) => [target, ...reachedFrom(target, imports)]));
};

/** The imports of a layer that none of its other imports leads to. */
const directly = (layer: string, imports: Imports): string[] => {
  const targets = [...(imports.get(layer) ?? [])].sort();
  return targets.filter((target) => !targets.some((other) => reachedFrom(other, imports).has(target)));
};

/** Without the modules of Bun and of Node.js. */
const packagesOf = (layer: string): string[] => {
  const targets = sources.filter((path) => layerOf(path)?.name === layer).flatMap(importsOf);
  const names = targets.filter(
    (target) => /^[@a-z]/.test(target) && !/^(?:bun|node)\b|\.\w+$|^(?:src|db)\//.test(target),
  );
  return [
    ...new Set(
      names.map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
    ),
  ].sort();
};

const idOf = (layer: string): string => layer.replaceAll(' ', '-');
