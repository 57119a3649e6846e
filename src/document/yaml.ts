/**
 * The document as YAML, for people: small objects and lists are on one line, long texts are blocks, and quotes are only where a parser needs
 * them.
 */
import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
  Document as Yaml,
} from 'yaml';
import { copyExactly } from '../base/int64.ts';

/**
 * The value as YAML, which ends with a line end. Parsers of YAML 1.2 and of YAML 1.1, which are common, read it as the same value: a
 * parser of YAML 1.1 would read an unquoted `no` as a boolean, and `2026-05-01` as a time.
 */
export const toYaml = (value: object): string => {
  const yaml = parse(copyExactly(value));
  visit(yaml, {
    Collection: (_key, node, path) => {
      if (objectsIn(node) > objectsMax || !fits(node, path)) return undefined;
      putOnOneLine(node);
      return visit.SKIP;
    },
    Scalar: (key, node, path) => {
      if (typeof node.value !== 'string' || key === 'key') return;
      const style = styleOf(node.value, nameOf(path.at(-1)), fits(node, path));
      if (style) node.type = style;
    },
  });
  return write(yaml, columnsMax);
};

const columnsMax = 100;
/** With more objects inside each other, a line is hard to read. */
const objectsMax = 2;

type Collection = YAMLMap | YAMLSeq;

const parse = (value: unknown): Yaml =>
  new Yaml(value, toInteger, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });

/** No line is folded if `lineWidth` is 0. */
const write = (yaml: Yaml, lineWidth: number): string =>
  yaml.toString({
    lineWidth,
    singleQuote: true,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });

/** How many objects are inside each other, with this one. */
const objectsIn = (node: unknown): number => {
  if (isPair(node)) return objectsIn(node.value);
  return isCollection(node) ? Number(isMap(node)) + Math.max(0, ...node.items.map(objectsIn)) : 0;
};

type Path = readonly unknown[];

/** Whether it fits on one line, behind its name. The whole value does not. */
const fits = (node: Collection | Scalar, path: Path): boolean => {
  const name = nameOf(path.at(-1));
  const outside = path.filter(isCollection).length;
  const indent = 2 * (outside - 1);
  if (outside === 0 || indent + charactersIn(node) > columnsMax) return false;
  const value = node.toJSON();
  const line = parse(name === undefined ? [value] : { [name]: value });
  const inner = line.getIn([name ?? 0], true);
  if (isCollection(inner)) putOnOneLine(inner);
  return indent + write(line, 0).trimEnd().length <= columnsMax;
};

/** Without quotes and punctuation, since it costs much less than to write the line. */
const charactersIn = (node: unknown): number => {
  if (isPair(node)) return charactersIn(node.key) + charactersIn(node.value);
  if (isCollection(node)) return node.items.reduce((sum: number, item) => sum + charactersIn(item), 0);
  return isScalar(node) ? `${node.value}`.length : 0;
};

/** Older parsers of YAML 1.1 need more quotes there. */
const putOnOneLine = (collection: Collection): void => {
  collection.flow = true;
  visit(collection, {
    Scalar: (key, node) => {
      if (key === 'key' || typeof node.value !== 'string') return;
      // Line ends would be written as such.
      if (node.value.includes('\n')) node.type = 'QUOTE_DOUBLE';
      else if (/[:#?,[\]{}]/.test(node.value)) node.type = 'QUOTE_SINGLE';
    },
  });
};

/** The name of a member. Undefined for another node. */
const nameOf = (node: unknown): string | undefined =>
  isPair(node) && isScalar(node.key) ? `${node.key.value}` : undefined;

/**
 * Markdown reads the line ends of a paragraph as spaces, so a long line of it can be folded. Line ends of other texts are data, and so are the
 * spaces of a pattern.
 */
const styleOf = (text: string, name: string | undefined, isShort: boolean): Scalar.Type | undefined => {
  // A block cannot have control characters, and would hide spaces at the ends of its lines.
  if (/[^\P{C}\n]| {2}|^ | $/mu.test(text)) return 'QUOTE_DOUBLE';
  const isLong = text.split('\n').some((line) => line.length > columnsMax);
  if (text.includes('\n')) return name === 'description' && isLong ? 'BLOCK_FOLDED' : 'BLOCK_LITERAL';
  if (isShort) return undefined;
  return name === 'pattern' ? 'BLOCK_LITERAL' : 'BLOCK_FOLDED';
};

/** The library writes a bigint exactly. */
const toInteger = (_name: unknown, value: unknown): unknown =>
  typeof value === 'object' && value !== null && JSON.isRawJSON(value) ? BigInt(JSON.stringify(value)) : value;
