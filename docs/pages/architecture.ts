/** docs/architecture.md: the folders of the program and the imports between them. */
import { directImports, importsOfFolders } from '../../tests/support/project/folders.ts';

export const renderArchitecture = (): string => {
  const imports = importsOfFolders();
  const arrows = [...imports.keys()]
    .sort()
    .flatMap((folder) =>
      directImports(folder, imports).map(
        (target) => `  ${nodeOf(folder)} ${arrowOf(folder, target)} ${nodeOf(target)}`,
      ),
    );
  return `# Architecture

The folder is the layer: no two folders import each other, not even for a type. An arrow leads from a folder to a folder that it imports.
Arrows that others imply are left out. Only its URL loads the engine with the dotted arrow.
[CONTRIBUTING.md](../CONTRIBUTING.md#the-folders) has the folders from the top down, and what each is for.

\`\`\`mermaid
flowchart TD
${arrows.join('\n')}
\`\`\`
`;
};

/** Whether the program works without what is imported. */
const arrowOf = (from: string, to: string): string =>
  from === 'src/engines' && to === 'src/postgres' ? '-.->' : '-->';

const nodeOf = (folder: string): string => {
  const name = folder.replace('src/', '');
  return `${name.replaceAll(/\W/g, '-')}[${name}]`;
};
