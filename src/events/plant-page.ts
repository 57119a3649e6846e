import type { JsonPage } from '../base/page.ts';
import { toJsonPage } from '../base/page.ts';
import type { PlantEvent } from '../plants/plant.ts';
import { eventIdOf, type Sequenced } from './event.ts';
import { toJson } from './representation.ts';

/**
 * How many events a step of a list of one plant looks at: there is no index by plant, which would cost each create. Those of other plants are not
 * encoded.
 */
export const eventsInStep = 500;

/** The steps of such a page. */
export const plantScanSteps = 10;

/**
 * The events of a plant among the first `eventsInStep` of these, at most `limit`. One event more than that shows that there are others. The end is
 * the last event that was looked at.
 */
export const toPlantPage = (
  events: readonly Sequenced<PlantEvent>[],
  plantId: bigint,
  limit: number,
): JsonPage<string> => {
  const seen = events.slice(0, eventsInStep);
  const listed = toJsonPage(
    seen.filter(({ id }) => id === plantId),
    limit,
    { toJson, keyOf: eventIdOf },
  );
  const last = events.length > eventsInStep ? seen.at(-1) : undefined;
  return { ...listed, end: listed.end ?? (last && eventIdOf(last)) };
};
