/** The kinds of tools, in the order of the site. */
import type { Kind, ToolData } from '../measure/data.ts';

/** The name of several tools of each kind. */
const names: Readonly<Record<Kind, string>> = {
  validator: 'Validators',
  generator: 'Generators',
  parser: 'Parsers',
  linter: 'Linters',
  tester: 'Testers',
  viewer: 'Viewers',
  other: 'Others',
};

export interface Group {
  readonly kind: Kind;
  readonly name: string;
  readonly tools: readonly ToolData[];
}

/** The kinds that have tools, each with its tools by name. */
export const groupsOf = (tools: readonly ToolData[]): Group[] =>
  kinds
    .map((kind) => ({ kind, name: names[kind], tools: byName(tools.filter((tool) => tool.kind === kind)) }))
    .filter((group) => group.tools.length > 0);

const kinds = Object.keys(names) as Kind[];

const byName = (tools: readonly ToolData[]): ToolData[] =>
  tools.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { ignorePunctuation: true, numeric: true }));
