import Negotiator from 'negotiator';

/**
 * Which of these media types the caller prefers (RFC 9110 §12.5.1): by quality, then by what it names more exactly, then by the
 * order of its list, then of this one. The first one when it accepts none of them.
 */
export const preferredType = <Name extends string>(headers: Headers, available: readonly [Name, ...Name[]]): Name => {
  const accept = headers.get('accept');
  if (accept === null) return available[0];
  const preferred = new Negotiator({ headers: { accept } }).mediaType([...available]);
  return available.find((name) => name === preferred) ?? available[0];
};
