/** The kept events, the newest first: of all plants, or of one. */
import type { Api } from '../api/api.ts';
import { expect, nextCursorOf } from '../api/client.ts';
import type { LogEvent } from '../live/event.ts';

export interface HistoryPage {
  readonly events: readonly LogEvent[];
  /** The cursor of the page before, if there is one. */
  readonly older: string | undefined;
}

const pageSize = 100;

interface HistoryOptions {
  readonly plant: string | undefined;
  readonly after: string | undefined;
}

/** A page of one plant can have none of its events, although older ones have some. */
export const readHistory = async (api: Api, { plant, after }: HistoryOptions): Promise<HistoryPage> => {
  const query = {
    sort: '-sequence',
    limit: pageSize,
    ...(plant !== undefined && { plant }),
    ...(after !== undefined && { after }),
  } as const;
  const { data, response } = await expect(api.events.get({ query }));
  return { events: data, older: nextCursorOf(response) };
};
