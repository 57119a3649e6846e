import type { PlantEvent, PlantPictureChanged } from '../plants/plant.ts';
import { type NewPlant, type PlantCreatedOrUpdated, type PlantDeleted, toNewPlant } from '../plants/plant.ts';
import { baobab, demoTime, ficus, monstera, moss, pictureOfMonstera, sequoia, time } from '../plants/sample.ts';
import type { Sequenced, TestMessage } from './event.ts';

/** It is created, then loses its tag, then is deleted. */
const fern = { id: 4n, name: 'Fern' };

const changed = (
  sequence: bigint,
  type: PlantCreatedOrUpdated['type'],
  minute: string,
  plant: NewPlant,
): Sequenced<PlantCreatedOrUpdated> => ({ sequence, type, timestamp: time(minute), ...toNewPlant(plant) });

export const fernCreated = changed(6n, 'plant.created', '31', { ...fern, tag: 'shade' });
export const fernUpdated = changed(7n, 'plant.updated', '32', fern);
export const fernDeleted: Sequenced<PlantDeleted> = {
  sequence: 8n,
  type: 'plant.deleted',
  timestamp: time('33'),
  id: fern.id,
};

/** The log. The webhook was created after the first five. */
export const sequoiaCreated = changed(5n, 'plant.created', '30', sequoia);
export const eventsBeforeWebhook: readonly Sequenced<PlantEvent>[] = [
  changed(1n, 'plant.created', '30', monstera),
  changed(2n, 'plant.created', '30', ficus),
  changed(3n, 'plant.created', '30', moss),
  changed(4n, 'plant.created', '30', baobab),
  sequoiaCreated,
];
export const eventsOfWebhook: readonly Sequenced<PlantEvent>[] = [fernCreated, fernUpdated, fernDeleted];

/** After everything else. The webhook does not have its type. */
export const monsteraPictured: Sequenced<PlantPictureChanged> = {
  sequence: 9n,
  type: 'plant.picture.updated',
  timestamp: monstera.updatedAt,
  id: monstera.id,
  picture: pictureOfMonstera,
};

/** It is not in the log. */
export const monsteraUnpictured: Sequenced<PlantPictureChanged> = {
  ...monsteraPictured,
  sequence: 10n,
  type: 'plant.picture.deleted',
  timestamp: demoTime,
};

/** The test that the first client request creates. */
export const firstTest: Sequenced<TestMessage> = {
  sequence: 9n,
  type: 'webhook.test',
  timestamp: demoTime,
  number: 1n,
};

/** The example of W3C Trace Context. */
export const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
