/**
 * A document as text, once for all servers. A client can choose the prefix behind a proxy that passes its header on, and to write a document
 * takes much longer than a usual request.
 */
import { hash } from 'node:crypto';
import { memoize } from '../base/memoize.ts';

/** The server of a document that becomes a template. It must be written without quotes in YAML, and be nowhere else in the document. */
export const serverPlaceholder = '/-server-';

export interface Representation {
  /** For the entity tag. */
  readonly version: string;
  readonly body: Blob;
}

/**
 * Returns the text with another server, by its URL, which `write` puts into the form of the text. Throws if the text does not have the placeholder
 * exactly once.
 */
export const createRepresentations = (
  text: string,
  write: (serverUrl: string) => string,
): ((serverUrl: string) => Representation) => {
  const [before = '', after, ...more] = text.split(serverPlaceholder);
  if (after === undefined || more.length > 0) throw new Error('The document must name its server once.');
  const versionOfText = versionOf(text);
  return memoize(serversMax, (serverUrl) => ({
    version: versionOf(`${versionOfText} ${serverUrl}`),
    body: new Blob([before, write(serverUrl), after]),
  }));
};

/** All clients of a server share one copy of the text, even slow ones. */
const serversMax = 4;

const versionOf = (text: string): string => hash('sha256', text, 'base64url').slice(0, 16);

/** A path in JSON, between its quotes, has no characters to escape. */
export const inJson = (serverUrl: string): string => serverUrl;

/** A path can have a colon or an apostrophe, which need quotes. */
export const inYaml = (serverUrl: string): string => (/^[\w/.-]+$/.test(serverUrl) ? serverUrl : `"${serverUrl}"`);
