/** Reads a document in YAML or JSON, with one plain line for each mistake that keeps it from being read. */
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, type YAMLError } from 'yaml';
import { isObject } from '../../base/json.ts';
import { type Members, namesIn } from '../../base/json-pointer.ts';

/** @limit Processes | Document that `check` reads, and value | exit code 1 */
export const textBytesMax = 4 * 1024 * 1024;

export interface OpenApi {
  readonly value: Members;
  readonly version: Version;
  /** The number of the line at a JSON Pointer, or of the last name on the way that exists. */
  readonly lineAt: (pointer: string) => number;
}

export const versions = ['3.0', '3.1', '3.2'] as const;
export type Version = (typeof versions)[number];

/** Why a text is not a document that can be checked, in lines. */
export class Unreadable extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Throws Unreadable. */
export const readOpenApi = (text: string): OpenApi => {
  if (text.length > textBytesMax) throw new Unreadable([`It is larger than ${textBytesMax / 1024 ** 2} MiB.`]);
  if (text.trim() === '') throw new Unreadable(['It is empty.']);
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  if (yaml.errors.length > 0) throw new Unreadable(yaml.errors.slice(0, errorsMax).map(explain));
  const value = checkMembers(yaml.toJS());
  if (isCyclic(value)) throw new Unreadable(['An alias contains itself.']);
  return {
    value,
    version: versionOf(value),
    lineAt: (pointer) => lines.linePos(startOf(yaml.contents, namesIn(pointer))).line,
  };
};

/** Throws RangeError if it is nested too deeply. */
const isCyclic = (value: unknown, outside: readonly unknown[] = []): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (outside.includes(value) || Object.values(value).some((member) => isCyclic(member, [...outside, value])));

const errorsMax = 3;

const explain = ({ code, message, linePos }: YAMLError): string => {
  const line = linePos ? `line ${linePos[0].line}: ` : '';
  return line + (explanations[code] ?? message.split(/ at line |\n/)[0]);
};

const explanations: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  TAB_AS_INDENT: 'A tab indents it. YAML is indented by spaces alone.',
  DUPLICATE_KEY: 'The object has two members with this name.',
  BAD_INDENT: 'It is not indented as the lines around it are.',
  RESOURCE_EXHAUSTION: 'Its parts are nested too deeply.',
  MULTIPLE_DOCS: 'A second document begins. A file has one.',
  MULTILINE_IMPLICIT_KEY: 'A line has no colon with a space behind it, or is indented wrongly.',
  BLOCK_AS_IMPLICIT_KEY: 'It has a second colon. A text with a colon and a space needs quotes.',
};

/** Where the last of these names begins that exists, in characters. */
const startOf = (contents: unknown, names: readonly string[]): number => {
  let start = 0;
  let node = contents;
  for (const name of names) {
    const item = itemOf(node, name);
    const named = isPair(item) ? item.key : item;
    if (!isNode(named)) break;
    start = named.range?.[0] ?? start;
    node = isPair(item) ? item.value : item;
  }
  return start;
};

/** The name of a member may be a number, such as a status without quotes. */
const itemOf = (node: unknown, name: string): unknown => {
  if (isSeq(node)) return node.items[Number(name)];
  return isMap(node) ? node.items.find(({ key }) => isScalar(key) && `${key.value}` === name) : undefined;
};

const checkMembers = (value: unknown): Members => {
  if (isObject(value)) return value;
  throw new Unreadable([
    typeof value === 'string'
      ? 'It is one text and no object. A member is a name, a colon, a space and a value, as in `openapi: 3.1.1`.'
      : 'It is no object with the member `openapi`.',
  ]);
};

const versionOf = (document: Members): Version => {
  const { openapi } = document;
  if (typeof openapi === 'number')
    throw new Unreadable([
      `\`openapi: ${openapi}\` is a number. The version has three parts, as in \`openapi: 3.1.1\`.`,
    ]);
  const found = versions.find((version) => typeof openapi === 'string' && openapi.startsWith(`${version}.`));
  if (found !== undefined) return found;
  const known = `This command knows OpenAPI ${versions.join(', ')}.`;
  if (openapi !== undefined) throw new Unreadable([`\`openapi\` has no version that exists. ${known}`]);
  if (document['swagger'] !== undefined) throw new Unreadable([`It is Swagger 2.0. ${known}`]);
  const glued = Object.keys(document).find((name) => /^\w+:\S/.test(name));
  throw new Unreadable([
    glued === undefined
      ? `It lacks the member \`openapi\`. ${known}`
      : `\`${glued.slice(0, 40)}\` is one name: after the colon of a member, YAML needs a space.`,
  ]);
};
