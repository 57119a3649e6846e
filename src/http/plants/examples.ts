import { int64Max } from '../../base/int64.ts';
import { demoTime, ficus, monstera, moss } from '../../domain/fixture.ts';
import {
  createdPlantToJson,
  newPlantToJson,
  type PlantPatch,
  type PlantRecord,
  patchPlant,
  plantToJson,
} from '../../domain/plant.ts';
import { type Examples, toExample } from '../example.ts';

const toNewPlantExample = (plant: PlantRecord): object => toExample(newPlantToJson(plant));
const toCreatedExample = (plant: PlantRecord): object => toExample(createdPlantToJson(plant));
const toRecordExample = (plant: PlantRecord): object => toExample(plantToJson(plant));

export const newPlants: Examples = {
  tagged: { summary: 'A plant with a tag', value: toNewPlantExample(monstera) },
  untagged: { summary: 'A plant without a tag', value: toNewPlantExample(ficus) },
  negative: {
    summary: 'A negative id, and an empty tag, which is not the same as none',
    value: toNewPlantExample(moss),
  },
};

export const createdPlants: Examples = {
  tagged: { summary: 'A plant with a tag', value: toCreatedExample(monstera) },
  untagged: { summary: 'A plant without a tag: there is no such member', value: toCreatedExample(ficus) },
  negative: { summary: 'An empty tag', value: toCreatedExample(moss) },
};

const welwitschia = { id: int64Max, name: 'Welwitschia' };

/** Most tools would round a number, so OpenAPI 3.2 shows the text. */
export const exactPlant = {
  summary: 'An id beyond 2⁵³',
  serializedValue: JSON.stringify(newPlantToJson(welwitschia)),
};

export const createdExactPlant = {
  summary: 'A plant whose id is beyond 2⁵³',
  value: toExample(createdPlantToJson(welwitschia)),
};

const rename: PlantPatch = { name: 'Monstera deliciosa' };
const removeTag: PlantPatch = { tag: null };
const nothing: PlantPatch = {};

const patched = (patch: PlantPatch): object => toRecordExample(patchPlant(monstera, patch, new Date(demoTime)));

export const patches: Examples = {
  rename: { summary: 'Another name; the tag stays', value: rename },
  removeTag: { summary: 'No tag any more', value: removeTag },
  nothing: { summary: 'Nothing changes, not even the version', value: nothing },
};

/** The examples of a parameter of a change. Tools send the one that has the name of the body's example. */
export const ofEachPatch = <Value>(value: Value): Record<string, Value> =>
  Object.fromEntries(['demo', ...Object.keys(patches)].map((name) => [name, value]));

export const patchedPlants: Examples = {
  rename: { summary: 'The tag is as it was', value: patched(rename) },
  removeTag: { summary: 'There is no such member any more', value: patched(removeTag) },
  nothing: { summary: 'The plant as it was', value: patched(nothing) },
};

export const onePlant: Examples = { tagged: { summary: 'A plant with a tag', value: toRecordExample(monstera) } };

export const plantPages: Examples = {
  some: { summary: 'Plants by ascending id', value: [moss, monstera, ficus].map(toRecordExample) },
  none: { summary: 'There are none', value: [] },
};
