import { int64Max } from '../base/int64.ts';
import type { Examples } from '../http/schema.ts';
import {
  createdPlantToJson,
  newPlantToJson,
  type PlantPatch,
  type PlantRecord,
  patchPlant,
  plantToJson,
} from './plant.ts';
import { demoTime, ficus, monstera, moss } from './sample.ts';

export const newPlants: Examples = {
  tagged: { summary: 'A plant with a tag', value: newPlantToJson(monstera) },
  untagged: { summary: 'A plant without a tag', value: newPlantToJson(ficus) },
  negative: { summary: 'A negative id and an empty tag, which differs from no tag', value: newPlantToJson(moss) },
};

export const createdPlants: Examples = {
  tagged: { summary: 'A plant with a tag', value: createdPlantToJson(monstera) },
  untagged: { summary: 'A plant without a tag: the member is omitted', value: createdPlantToJson(ficus) },
  negative: { summary: 'An empty tag', value: createdPlantToJson(moss) },
};

const welwitschia = { id: int64Max, name: 'Welwitschia' };

/** Most tools would round the number, so OpenAPI 3.2 shows the text. */
export const exactPlant = {
  summary: 'An id beyond 2⁵³',
  serializedValue: JSON.stringify(newPlantToJson(welwitschia)),
};

export const createdExactPlant = {
  summary: 'A plant with an id beyond 2⁵³',
  value: createdPlantToJson(welwitschia),
};

const rename: PlantPatch = { name: 'Monstera deliciosa' };
const removeTag: PlantPatch = { tag: null };

const patchMonstera = (patch: PlantPatch): PlantRecord => patchPlant(monstera, patch, new Date(demoTime));
const patched = (patch: PlantPatch): object => plantToJson(patchMonstera(patch));

/** The plant in the first example of an update. */
export const renamed = patchMonstera(rename);

export const patches: Examples = {
  rename: { summary: 'A new name; the tag does not change', value: rename },
  removeTag: { summary: 'Remove the tag', value: removeTag },
};

/** The examples of a parameter of a change. Tools send the example with the same name as the example of the body. */
export const ofEachPatch = <Value>(value: Value): Record<string, Value> =>
  Object.fromEntries(['demo', ...Object.keys(patches)].map((name) => [name, value]));

export const patchedPlants: Examples = {
  rename: { summary: 'The plant with its new name and the same tag', value: patched(rename) },
  removeTag: { summary: 'The plant without a tag: the member is omitted', value: patched(removeTag) },
};

export const onePlant: Examples = { tagged: { summary: 'A plant with a tag', value: plantToJson(monstera) } };

export const plantPages: Examples = {
  // The other two have ids beyond 2⁵³, which most tools would round.
  some: {
    summary: 'The first three plants by ascending id, with `limit=3`',
    value: [moss, monstera, ficus].map(plantToJson),
  },
  none: { summary: 'An empty page', value: [] },
};
