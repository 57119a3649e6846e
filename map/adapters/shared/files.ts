/** Documents in several files. */
import type { Session } from '../../measure/session.ts';

/** The schemas in other files that the document refers to, by their paths beside it. */
export const schemasBeside = ({
  beside,
}: Pick<Session, 'beside'>): [path: string, schema: Readonly<Record<string, unknown>>][] =>
  [...beside].filter(([path]) => path.endsWith('.json')).map(([path, text]) => [path, JSON.parse(text)]);

/** A tool that takes a document as a value, and no place of it, cannot be asked for one that is in several files. */
export const isInFiles = (session: Pick<Session, 'beside'>): boolean => schemasBeside(session).length > 0;
