/** docs/architecture.md: the layers of the program and the imports between them. */
import { importsOf, sources } from '../../tests/support/project/imports.ts';
import { layerOf, layers } from '../../tests/support/project/layers.ts';

export const renderArchitecture = (): string => {
  const imports = importsOfLayers();
  const arrow = (from: string, to: string): string => (isOptional(from, to) ? '-.->' : '-->');
  // A layer imports only layers that are listed before it.
  const names = layers.map(({ name }) => name).toReversed();
  return `# Architecture

Imports run one way: an arrow leads from a layer to a layer that it imports. Arrows that others imply are left out. Only its URL loads the
engine with the dotted arrow. \`tests/support/project/layers.ts\` lists the files of each layer; the folder of a resource, such as
\`src/plants/\`, has files of several. [CONTRIBUTING.md](../CONTRIBUTING.md#the-folders) says what each folder is for.

\`\`\`mermaid
flowchart TD
${names.flatMap((name) => directly(name, imports).map((target) => `  ${idOf(name)}[${name}] ${arrow(name, target)} ${idOf(target)}[${target}]`)).join('\n')}
\`\`\`
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

const idOf = (layer: string): string => layer.replaceAll(' ', '-');
