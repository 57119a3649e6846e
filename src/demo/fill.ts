import type { Delivery } from '../deliveries/delivery.ts';
import { deliveries } from '../deliveries/sample.ts';
import type { Sequenced } from '../events/event.ts';
import { eventsBeforeWebhook, eventsOfWebhook, monsteraPictured } from '../events/sample.ts';
import { fileOfMonstera } from '../pictures/sample.ts';
import type { PlantEvent } from '../plants/plant.ts';
import { toFullPatch, toNewPlant } from '../plants/plant.ts';
import type { Store } from '../store/store.ts';
import { demo, demoToken, reader, readerToken } from '../tokens/sample.ts';
import { digestToken } from '../tokens/token.ts';
import { secret, webhook } from '../webhooks/sample.ts';

/** Fills an empty store with the sample data, through the same writes as clients. `setTime` sets the time of the next writes. */
export const fill = async (store: Store, setTime: (time: string) => void): Promise<void> => {
  const happen = async (events: readonly Sequenced<PlantEvent>[]): Promise<void> => {
    for (const event of events) {
      setTime(event.timestamp);
      await replay(store, event);
    }
  };

  await happen(eventsBeforeWebhook);
  setTime(webhook.createdAt);
  const { id, url, events } = webhook;
  await store.webhooks.create({ id, url, events, secret });
  await happen(eventsOfWebhook);
  await store.deliveries.record(deliveries.map(toChange), new Map([[id, newestOf(eventsOfWebhook)]]), neverLeased);
  await happen([monsteraPictured]);
  await store.tokens.create({ ...demo, digest: digestToken(demoToken) });
  await store.tokens.create({ ...reader, digest: digestToken(readerToken) });
};

const replay = async ({ plants, pictures }: Store, event: Sequenced<PlantEvent>): Promise<unknown> => {
  switch (event.type) {
    case 'plant.created':
      return plants.create(toNewPlant(event));
    case 'plant.updated':
      return plants.update(event.id, toFullPatch(event));
    case 'plant.deleted':
      return plants.delete(event.id);
    case 'plant.picture.updated':
      return pictures.put(event.id, fileOfMonstera, {});
    case 'plant.picture.deleted':
      return pictures.delete(event.id, {});
  }
};

const toChange = (after: Delivery) => ({ before: { ...after, attempts: [], attemptsInRound: 0 }, after });

const newestOf = (events: readonly Sequenced[]): bigint => events.at(-1)?.sequence ?? 0n;

/** The epoch of a webhook that has never had a lease. */
const neverLeased = { get: () => 0n };
