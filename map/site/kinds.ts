/** The kinds of tools, in the order of the site. */
import type { Kind, ToolData } from '../measure/data.ts';
import { byName } from './verdicts.ts';

/** The name of several tools of each kind. */
const names: Readonly<Record<Kind, string>> = {
  validator: 'Validators',
  mock: 'Mock servers',
  schema: 'Validators of JSON Schema',
  generator: 'Generators',
  parser: 'Parsers',
  linter: 'Linters',
  tester: 'Testers',
  viewer: 'Viewers',
  producer: 'Producers',
  other: 'Others',
};

/** What a kind is asked. */
export const meaningOf: Readonly<Record<Kind, string>> = {
  validator: 'They accept or refuse requests and responses at run time.',
  mock: 'They answer requests as the document says, without a service, and may validate them.',
  schema: 'They accept or refuse a value by a schema of the document.',
  generator: 'They write code, whose types and requests are compared with the document.',
  parser: 'They read a document for other programs, and may check it.',
  linter: 'They report mistakes in a document, or changes of it.',
  tester: 'They send requests to a service, and compare its responses with the document.',
  viewer: 'They show a document to people.',
  producer: 'They write a document from the code of a service. The document is judged.',
  other: 'They call a service as its document says, without generated code.',
};

export interface Group {
  readonly kind: Kind;
  readonly name: string;
  readonly tools: readonly ToolData[];
}

/** The kinds that have tools, each with its tools by name. */
export const groupsOf = (tools: readonly ToolData[]): Group[] =>
  kinds
    .map((kind) => ({ kind, name: names[kind], tools: tools.filter((tool) => tool.kind === kind).toSorted(byName) }))
    .filter((group) => group.tools.length > 0);

const kinds = Object.keys(names) as Kind[];
