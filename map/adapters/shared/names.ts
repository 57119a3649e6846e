/** Names that generators make from those of the document. */
import { type Document, findOperation } from '../../measure/operation.ts';

export const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export const camelCase = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The names of the parameters in a template, such as `/plants/{id}`. */
export const namesInPath = (template: string): string[] =>
  [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);

/** The template of an operation in `paths`. Undefined for one of a webhook or a callback. */
export const templateOf = (document: Document, operationId: string): string | undefined => {
  try {
    const { path } = findOperation({ paths: document['paths'] }, operationId);
    return path;
  } catch {
    return undefined;
  }
};

/** How many parameters of the path an operation has: generated functions take these first. */
export const countInPath = (document: Document, operationId: string): number =>
  namesInPath(templateOf(document, operationId) ?? '').length;
