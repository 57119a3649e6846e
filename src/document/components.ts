/** The schemas of the document: those that its parts refer to. */
import { valueAt } from '../base/json-pointer.ts';
import { type JsonSchema, nameOf, originalOf, type TSchema, targetOf, toJsonSchema } from '../http/schema.ts';

/**
 * The components that the parts refer to, and those that these refer to, by name in the order of their first reference. Throws if
 * different schemas have one name.
 */
export const componentsOf = (parts: object): Readonly<Record<string, JsonSchema>> => {
  const originals = new Map<string, TSchema>();
  const add = (schema: TSchema): void => {
    const name = nameOf(schema);
    const original = originalOf(schema);
    const known = originals.get(name) ?? original;
    if (!isSame(known, original) || !isSame(withoutSiblings(schema), withoutSiblings(original)))
      throw new Error(`Two different schemas have the name ${name}.`);
    if (originals.has(name)) return;
    originals.set(name, original);
    visit(toJsonSchema(original));
  };
  const visit = (node: object): void => {
    const target = targetOf(node);
    if (target) add(target);
    for (const part of Object.values(node)) if (typeof part === 'object' && part !== null) visit(part);
  };
  visit(parts);
  return Object.fromEntries([...originals].map(([name, schema]) => [name, toJsonSchema(schema)]));
};

const isSame = (a: object, b: object): boolean =>
  a === b || JSON.stringify(toJsonSchema(a)) === JSON.stringify(toJsonSchema(b));

/** A reference has its own description and may be read-only, and a parameter has its own examples. */
const withoutSiblings = (schema: TSchema): object => ({
  ...schema,
  description: undefined,
  examples: undefined,
  readOnly: undefined,
});

/** Returns the document. Throws if it refers to something that it does not have. */
export const checkReferences = <Document extends object>(document: Document): Document => {
  const visit = (node: object): void => {
    for (const [name, value] of Object.entries(node)) {
      if (name === '$ref') expectTarget(document, `${value}`);
      else if (name === 'discriminator')
        for (const pointer of Object.values(value.mapping)) expectTarget(document, `${pointer}`);
      // The values of examples are data.
      else if (name !== 'examples' && typeof value === 'object' && value !== null) visit(value);
    }
  };
  visit(document);
  return document;
};

const expectTarget = (document: object, pointer: string): void => {
  if (valueAt(document, pointer) === undefined)
    throw new Error(`The document refers to ${pointer}, which it does not have.`);
};
