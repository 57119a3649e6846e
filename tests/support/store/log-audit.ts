import { isDeepStrictEqual } from 'node:util';

/** The rows of a database of either engine. */
export interface StoredRows {
  readonly plants: readonly (Plant & { readonly id: string })[];
  /** The SHA-256 of the bytes of each picture in hexadecimal. */
  readonly pictures: readonly { readonly id: string; readonly digest: string }[];
  /** In order. */
  readonly events: readonly EventRow[];
}

interface Plant {
  readonly name: string;
  readonly tag: string | null;
  readonly picture: string | null;
}

interface EventRow extends Plant {
  readonly sequence: string;
  readonly type: string;
  readonly id: string;
}

/**
 * The faults of these rows, in sentences: a gap in the log of events, an event that changes nothing, a replay that differs from the plants,
 * and a picture that no plant has, that is missing, or whose bytes are others.
 */
export const auditRows = ({ plants, pictures, events }: StoredRows): string[] => {
  const faults: string[] = [];
  const played = new Map<string, Plant>();
  for (const [index, event] of events.entries()) {
    const { sequence, type, id, picture } = event;
    const before = played.get(id);
    const after = replay(before, event);
    if (sequence !== `${index + 1}`) faults.push(`Event ${index + 1} has the sequence ${sequence}.`);
    if ((type === 'plant.created') === (before !== undefined)) faults.push(`Event ${sequence} cannot follow: ${type}.`);
    if (isDeepStrictEqual(before, after)) faults.push(`Event ${sequence} changes nothing.`);
    if (type === 'plant.picture.deleted' && before?.picture !== picture)
      faults.push(`Event ${sequence} has another picture than the plant.`);
    if (after) played.set(id, after);
    else played.delete(id);
  }
  const kept = new Map(plants.map(({ id, name, tag, picture }) => [id, { name, tag, picture }]));
  if (!isDeepStrictEqual(kept, played)) faults.push('The log makes other plants than there are.');
  const known = plants.flatMap(({ id, picture }) =>
    picture === null ? [] : [[id, JSON.parse(picture).digest] as const],
  );
  if (!isDeepStrictEqual(new Map(pictures.map(({ id, digest }) => [id, digest])), new Map(known)))
    faults.push('The plants know other pictures than there are.');
  return faults;
};

const replay = (before: Plant | undefined, { type, name, tag, picture }: EventRow): Plant | undefined => {
  switch (type) {
    case 'plant.created':
    case 'plant.updated':
      return { name, tag, picture: before?.picture ?? null };
    case 'plant.picture.updated':
      return before && { ...before, picture };
    case 'plant.picture.deleted':
      return before && { ...before, picture: null };
    default:
      return undefined;
  }
};
