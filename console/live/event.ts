import type { Api, Data } from '../api/api.ts';

/** An event of the log. */
export type LogEvent = Data<Api['events']['get']>[number];

export const eventTypes = [
  'plant.created',
  'plant.updated',
  'plant.deleted',
  'plant.picture.updated',
  'plant.picture.deleted',
] as const satisfies readonly LogEvent['type'][];
