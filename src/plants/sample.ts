import sample from './monstera.json' with { type: 'json' };
import type { Picture, PlantRecord } from './plant.ts';

/** A time in the hour of the demo. */
export const time = (minute: string): string => `2026-05-01T09:${minute}:00.000Z`;

/** The time of everything that clients write in the demo. */
export const demoTime = time('35');

const times = { createdAt: time('30'), updatedAt: time('30') };

/** Its bytes are in `pictures/sample.ts`. */
export const pictureOfMonstera: Picture = { ...sample.picture, type: 'image/png' };

/** It got its picture last of all. */
export const monstera = {
  id: 1n,
  name: 'Monstera',
  tag: 'tropical',
  createdAt: time('30'),
  updatedAt: time('34'),
  picture: pictureOfMonstera,
} satisfies PlantRecord;
export const ficus: PlantRecord = { id: 2n, name: 'Ficus', ...times };
export const moss: PlantRecord = { id: -3n, name: 'Moss', tag: '', ...times };
/** Both have the same number in a client that reads ids as doubles: it shows two plants with one id, and changes the wrong one. */
export const baobab: PlantRecord = { id: 9007199254740996n, name: 'Baobab', tag: 'giant', ...times };
export const sequoia: PlantRecord = { id: 9007199254740997n, name: 'Sequoia', tag: 'giant', ...times };
/** The cursor of the page after it. To encode it would load zlib at each start. */
export const cursorAfterMoss = 'Af_________9WxphtA';
