/** The schemas of bodies, by their names in the components. */
import type { TypeQuestion } from '../../measure/abilities/type-check.ts';
import type { ValidateQuestion } from '../../measure/abilities/validate.ts';
import type { Document } from '../../measure/operation.ts';
import { escapeToken, operationWith, valueAt } from '../../measure/operation.ts';

/** Undefined where the schema has no name. */
export const schemaNameAt = (document: Document, pointer: string): string | undefined => {
  const reference = valueAt(document, `${pointer}/$ref`);
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
};

/** The members of a schema that only requests have, or only responses. */
export const oneSidedMembers = (document: Document, schema: string | undefined): string[] => {
  const members = valueAt(document, `/components/schemas/${schema}/properties`) ?? {};
  const isOneSided = (member: unknown) =>
    valueAt(member, '/readOnly') === true || valueAt(member, '/writeOnly') === true;
  return Object.entries(members).flatMap(([name, member]) => (isOneSided(member) ? [name] : []));
};

/** Whether the question is about headers alone, which no schema of a body decides: another one before it has the same body. */
export const isAboutHeaders = (question: ValidateQuestion, all: readonly ValidateQuestion[]): boolean => {
  const bodyOf = ({ operationId, side, target, status, contentType, body }: ValidateQuestion) =>
    JSON.stringify([operationId, side, target, status, contentType, body]);
  return all.slice(0, all.indexOf(question)).some((other) => bodyOf(other) === bodyOf(question));
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
