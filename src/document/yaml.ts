/**
 * The document as YAML, for people: long texts are blocks; references, short lists and short examples are on one line; and quotes are only
 * where YAML needs them.
 */
import { isCollection, isPair, isScalar, type Scalar, visit, type YAMLMap, Document as Yaml } from 'yaml';
import { copyExactly } from '../base/int64.ts';

/**
 * The value as YAML, which ends with a line end. Parsers of YAML 1.2 and of YAML 1.1, which are common, read it as the same value: a
 * parser of YAML 1.1 would read an unquoted `no` as a boolean, and `2026-05-01` as a time.
 */
export const toYaml = (value: object): string => {
  const yaml = new Yaml(copyExactly(value), toInteger, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(yaml, {
    Scalar: (key, node, path) => {
      const { value } = node;
      if (typeof value !== 'string' || key === 'key') return;
      // Older parsers of YAML 1.1 refuse a colon in `[plants:read]`.
      const isColonInFlow = value.includes(':') && path.some((node) => isCollection(node) && node.flow === true);
      const style = isColonInFlow ? 'QUOTE_SINGLE' : styleOf(value, nameOf(path.at(-1)) === 'description');
      if (style) node.type = style;
    },
    Seq: (_key, list) => {
      list.flow = list.items.every(isScalar);
    },
    Map: (_key, map, path) => {
      map.flow = (isReference(map) || isInData(path)) && isShort(map, path);
    },
  });
  return yaml.toString({
    lineWidth: columnsMax,
    singleQuote: true,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
};

const columnsMax = 100;
/** A longer text is a block. It leaves space for the indentation and the name. */
const columnsOfTextMax = 70;

const isReference = ({ items }: YAMLMap): boolean => items.length === 1 && nameOf(items[0]) === '$ref';

/** Whether the object is data, and not a description of data. */
const isInData = (path: Path): boolean => path.some((node) => ['examples', 'links'].includes(nameOf(node) ?? ''));

/** Whether the object has only scalars, and fits on a line. */
const isShort = ({ items }: YAMLMap, path: Path): boolean => {
  const members = items.map(({ key, value }) => (isScalar(value) ? `${key}: ${JSON.stringify(value)}` : undefined));
  const indent = 2 * path.filter(isCollection).length + (nameOf(path.at(-1)) ?? '').length;
  return !members.includes(undefined) && indent + members.join(', ').length + '{}: '.length <= columnsMax;
};

type Path = readonly unknown[];

/** The name of a member. Undefined for another node. */
const nameOf = (node: unknown): string | undefined =>
  isPair(node) && isScalar(node.key) ? `${node.key.value}` : undefined;

/** Markdown reads the line ends of a paragraph as spaces, so a long line of it can be folded. Line ends of other texts are data. */
const styleOf = (text: string, isMarkdown: boolean): Scalar.Type | undefined => {
  // A block cannot have control characters, and would hide spaces at the ends of its lines.
  if (/[^\P{C}\n]| {2}|^ | $/mu.test(text)) return 'QUOTE_DOUBLE';
  const isLong = text.split('\n').some((line) => line.length > columnsMax);
  if (text.includes('\n')) return isMarkdown && isLong ? 'BLOCK_FOLDED' : 'BLOCK_LITERAL';
  return text.length > columnsOfTextMax ? 'BLOCK_FOLDED' : undefined;
};

/** The library writes a bigint exactly. */
const toInteger = (_name: unknown, value: unknown): unknown =>
  typeof value === 'object' && value !== null && JSON.isRawJSON(value) ? BigInt(JSON.stringify(value)) : value;
