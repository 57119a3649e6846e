/** The order of events that arrive on several ways: the numbers of the log have no gaps, so each event is delivered once, and none is missed. */

/** Whether the event with this number is the next one after `last`, was delivered before, or others before it are missing. */
export const placeOf = (last: bigint | undefined, sequence: bigint): 'next' | 'known' | 'later' => {
  if (last === undefined || sequence === last + 1n) return 'next';
  return sequence <= last ? 'known' : 'later';
};
