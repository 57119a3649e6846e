import Negotiator from 'negotiator';

/**
 * Returns the media type that the client prefers (RFC 9110 §12.5.1): by quality, then by specificity, then by the order in
 * `Accept`, then by the order of this list. Returns the first one if the client accepts none of them.
 */
export const preferredType = <Name extends string>(headers: Headers, available: readonly [Name, ...Name[]]): Name => {
  const accept = headers.get('accept');
  if (accept === null) return available[0];
  const preferred = new Negotiator({ headers: { accept } }).mediaType([...available]);
  return available.find((name) => name === preferred) ?? available[0];
};
