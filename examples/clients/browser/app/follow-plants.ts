/** Lists all plants, then follows their changes, and misses none. The reason for each step is in docs/list-then-follow.md. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { settings } from '../clients/settings.ts';
import { exactFetch, readExact } from '../exact-json.ts';
import type { components } from '../generated/openapi-typescript.ts';

export type Plant = components['schemas']['NewPlant'];

export interface Followed {
  /** By id. Undefined until all are listed. */
  readonly plants?: ReadonlyMap<string, Plant> | undefined;
  /** The status that an attempt ended with; 0 for a lost connection. The next attempt follows, except after 401 and 403. */
  readonly problem?: number;
}

export async function* followPlants(signal: AbortSignal, url = settings.url): AsyncGenerator<Followed> {
  let plants: Map<string, Plant> | undefined;
  let position: string | null = null;
  while (!signal.aborted) {
    try {
      if (position === null) {
        const { headers } = await send('HEAD', '/events', stream);
        plants = new Map((await listAll()).map((plant) => [plant.id, plant]));
        position = headers.get('last-event-id');
        yield { plants };
      }
      const { body } = await send('GET', '/events', { ...stream, 'last-event-id': position ?? '' });
      yield { plants };
      for await (const { id, data } of readEvents(body)) {
        const event: components['schemas']['Event'] = readExact(data);
        // React notices only a new map.
        plants = new Map(plants);
        if (event.type === 'plant.deleted') plants.delete(event.id);
        else if (event.type === 'plant.created' || event.type === 'plant.updated') plants.set(event.id, event);
        position = id ?? position;
        yield { plants };
      }
      yield { plants, problem: 0 };
    } catch (error) {
      const problem = error instanceof Response ? error.status : 0;
      // The position is older than the kept events (410), or of another database (400).
      if (problem === 410 || problem === 400) position = null;
      if (!signal.aborted) yield { plants, problem };
      if (problem === 401 || problem === 403) return;
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }

  async function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
    const authorization = `Bearer ${settings.token}`;
    const response = await exactFetch(new URL(path, url), { method, headers: { ...headers, authorization }, signal });
    if (!response.ok) throw response;
    return response;
  }

  async function listAll(): Promise<Plant[]> {
    const all: Plant[] = [];
    for (let page: string | undefined = '/plants?limit=1000'; page !== undefined; ) {
      const response = await send('GET', page);
      all.push(...(await response.json()));
      const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
      page = next && new URL(next, response.url).href;
    }
    return all;
  }
}

const stream = { accept: 'text/event-stream' };
const retryMs = 1000;

/** Three of the comments that the service sends every 15 seconds. After such a silence the connection is lost. */
const silenceMsMax = 45_000;

async function* readEvents(body: Response['body']): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const timer = setTimeout(() => reader?.cancel(), silenceMsMax);
    const chunk = await reader?.read().finally(() => clearTimeout(timer));
    if (chunk?.value === undefined) return;
    parser.feed(chunk.value);
    yield* events.splice(0);
  }
}
