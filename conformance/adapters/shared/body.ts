/** The schemas of bodies, by their names in the components. */
import type { TypeQuestion } from '../../map/abilities/type-check.ts';
import type { Document } from '../../map/operation.ts';
import { escapeToken, operationWith, valueAt } from '../../map/operation.ts';

/** Undefined where the schema has no name. */
export const schemaNameAt = (document: Document, pointer: string): string | undefined => {
  const reference = valueAt(document, `${pointer}/$ref`);
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
};

type Body = Pick<TypeQuestion, 'operation' | 'side' | 'status' | 'contentType'>;

/** The name of the schema of a body of an operation or a webhook. */
export const schemaNameOf = (document: Document, { operation = '', side, status, contentType }: Body) => {
  const found = operationWith(document, operation);
  if (found === undefined) return;
  const place = side === 'response' ? `responses/${status ?? 200}` : 'requestBody';
  return schemaNameAt(
    document,
    `${found.pointer}/${place}/content/${escapeToken(contentType ?? 'application/json')}/schema`,
  );
};
