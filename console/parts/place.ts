/** Where the page is: the view and what it shows, in the fragment of the address, so that a link can be sent, and back and reload work. */

export interface Place {
  /** The name of a view, as in the address. */
  readonly view: string;
  /** Behind the question mark. */
  readonly query: string;
  /** The queries of the pages before this one. The address does not have them, but a reload keeps them. */
  readonly trail: readonly string[];
}

export const placeOf = (hash: string, state: unknown): Place => {
  const [, view = '', query = ''] = /^#?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const trail = typeof state === 'object' && state !== null && 'trail' in state ? state.trail : [];
  return { view, query, trail: Array.isArray(trail) ? trail.filter((one) => typeof one === 'string') : [] };
};
