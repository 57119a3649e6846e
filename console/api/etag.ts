/** The entity tag of a plant, whatever a proxy has made of it (RFC 9110 §8.8.3). */

/**
 * The `If-Match` for a response with this `ETag`. nginx makes a tag weak when it compresses (`W/"…"`), and Apache and others add a suffix
 * (`"…-gzip"`); a weak tag never matches, so this is strong again, and has the tag with and without the suffix. Undefined if a proxy has
 * removed the tag.
 */
export const matchOf = (etag: string | null): string | undefined => {
  const [, tag] = /"([^"]+)"/.exec(etag ?? '') ?? [];
  if (tag === undefined) return undefined;
  const versions = new Set([tag.replace(/(?:--?|;|:)(?:gzip|br|zstd|deflate)$/i, ''), tag]);
  return [...versions].map((version) => `"${version}"`).join(', ');
};
