/** docs/architecture.md: the rooms of the program and the imports between them. */
import { importsOf, sources } from '../../tests/support/imports.ts';
import { code, table } from './markdown.ts';

export const renderArchitecture = (): string => {
  const imports = importsOfRooms();
  const rooms = [...imports.keys()].sort(
    (a, b) => reachedFrom(b, imports).size - reachedFrom(a, imports).size || (a < b ? -1 : 1),
  );
  return `# Architecture

This page is made from the imports of the source files. An arrow leads from a room to a room that it imports. Arrows that others
imply are left out. Imports run one way only: \`tests/house/layers.test.ts\` lists what each room may import, and
[CONTRIBUTING.md](../CONTRIBUTING.md#the-rooms) says what each room is for.

\`\`\`mermaid
flowchart TD
${rooms.flatMap((room) => directly(room, imports).map((target) => `  ${idOf(room)}[${room}] --> ${idOf(target)}[${target}]`)).join('\n')}
\`\`\`

${table(
  ['room', 'imports', 'packages'],
  rooms.map((room) => [
    code(room),
    [...(imports.get(room) ?? [])].sort().map(code).join(', '),
    packagesOf(room).map(code).join(', '),
  ]),
)}
`;
};

type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** A folder of `src/`, a file beside the folders, an engine of the store, or `db`. */
const roomOf = (path: string): string => {
  const [folder = '', name = '', inner = ''] = path.replace(/\.ts$/, '').split('/');
  if (folder === 'db') return folder;
  if (/^setting/.test(name)) return 'config';
  return name === 'store' && (inner === 'sqlite' || inner === 'postgres') ? `${name}/${inner}` : name;
};

const importsOfRooms = (): Imports => {
  const imports = new Map<string, Set<string>>();
  for (const path of sources) {
    const room = roomOf(path);
    const targets = imports.get(room) ?? new Set();
    imports.set(room, targets);
    for (const target of importsOf(path).filter(isOwn)) if (roomOf(target) !== room) targets.add(roomOf(target));
  }
  return imports;
};

const isOwn = (target: string): boolean => /^(?:src|db)\/.*\.ts$/.test(target);

/** All rooms that the imports of a room lead to. */
const reachedFrom = (room: string, imports: Imports): ReadonlySet<string> =>
  new Set([...(imports.get(room) ?? [])].flatMap((target) => [target, ...reachedFrom(target, imports)]));

/** The imports of a room that none of its other imports leads to. */
const directly = (room: string, imports: Imports): string[] => {
  const targets = [...(imports.get(room) ?? [])].sort();
  return targets.filter((target) => !targets.some((other) => reachedFrom(other, imports).has(target)));
};

/** Without the modules of Bun and of Node.js. */
const packagesOf = (room: string): string[] => {
  const targets = sources.filter((path) => roomOf(path) === room).flatMap(importsOf);
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

const idOf = (room: string): string => room.replace('/', '-');
