/** The document as YAML, for people: long texts in blocks, short lists on one line, and quotes only where YAML needs them. */
import { isPair, isScalar, type Scalar, visit, Document as Yaml } from 'yaml';
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
      const style = typeof value === 'string' && key !== 'key' ? styleOf(value, isDescription(path.at(-1))) : undefined;
      if (style) node.type = style;
    },
    Seq: (_key, list) => {
      list.flow = list.items.every(isScalar);
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

/** Markdown reads the line ends of a paragraph as spaces, so a long line of it can be folded. Line ends of other texts are data. */
const styleOf = (text: string, isMarkdown: boolean): Scalar.Type | undefined => {
  // A block cannot have control characters, and would hide spaces at the ends of its lines.
  if (/[^\P{C}\n]| {2}|^ | $/mu.test(text)) return 'QUOTE_DOUBLE';
  const isLong = text.split('\n').some((line) => line.length > columnsMax);
  if (text.includes('\n')) return isMarkdown && isLong ? 'BLOCK_FOLDED' : 'BLOCK_LITERAL';
  return text.length > columnsOfTextMax ? 'BLOCK_FOLDED' : undefined;
};

const isDescription = (parent: unknown): boolean =>
  isPair(parent) && isScalar(parent.key) && parent.key.value === 'description';

/** The library writes a bigint exactly. */
const toInteger = (_name: unknown, value: unknown): unknown =>
  typeof value === 'object' && value !== null && JSON.isRawJSON(value) ? BigInt(JSON.stringify(value)) : value;
