/** A value as JSON has it. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/**
 * The value as YAML in block style, which ends with a line end. A text is quoted unless parsers of YAML 1.2 and of YAML 1.1, which are
 * common, read it as that text: they take `no` for a boolean, and `2026-05-01` for a time.
 */
export const printYaml = (value: Json): string => `${print(value, '').trimStart()}\n`;

const print = (value: Json, indent: string): string => {
  if (typeof value === 'string') return ` ${quote(value)}`;
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value) || Object.keys(value).length === 0)
    return ` ${JSON.stringify(value)}`;
  const inner = `${indent}  `;
  // The first line of an item follows its dash.
  const lines = isList(value)
    ? value.map((item) => `-${print(item, inner).replace(/^\n +/, ' ')}`)
    : Object.entries(value).map(([name, member]) => `${quote(name)}:${print(member, inner)}`);
  return lines.map((line) => `\n${indent}${line}`).join('');
};

/** `Array.isArray` does not narrow a type that is read-only. */
const isList = (value: object): value is readonly Json[] => Array.isArray(value);

const quote = (text: string): string =>
  plain.test(text) && !special.test(text) && Number.isNaN(Number(text)) ? text : JSON.stringify(text);

const plain = /^[\w/$](?:[\w $+*./;^-]|:(?! |$))*$/;

/** The booleans and null, numbers with underscores or colons, and times. */
const special = /^(?:y|n|yes|no|on|off|true|false|null|\d.*[_:].*|\d{4}-.*|e[-+]?\d+)$|^_| $/i;
