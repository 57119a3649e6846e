import type { Examples } from '../operation.ts';

const createdAt = '2026-05-01T09:30:00.000Z';
const updatedAt = '2026-05-01T09:31:00.000Z';
const monstera = { id: 1, name: 'Monstera', tag: 'tropical', createdAt, updatedAt: createdAt };

export const newPlants: Examples = {
  tagged: { summary: 'A plant with a tag', value: { id: 1, name: 'Monstera', tag: 'tropical' } },
  untagged: { summary: 'A plant without a tag', value: { id: 2, name: 'Ficus' } },
  negative: {
    summary: 'A negative id, and an empty tag, which is not the same as none',
    value: { id: -3, name: 'Moss', tag: '' },
  },
};

export const createdPlants: Examples = {
  tagged: { summary: 'A plant with a tag', value: { name: 'Monstera', tag: 'tropical' } },
  untagged: { summary: 'A plant without a tag: there is no such member', value: { name: 'Ficus' } },
  negative: { summary: 'An empty tag', value: { name: 'Moss', tag: '' } },
};

export const patches: Examples = {
  rename: { summary: 'Another name; the tag stays', value: { name: 'Monstera deliciosa' } },
  removeTag: { summary: 'No tag any more', value: { tag: null } },
  nothing: { summary: 'Nothing changes, not even the version', value: {} },
};

export const patchedPlants: Examples = {
  rename: { summary: 'The tag is as it was', value: { ...monstera, name: 'Monstera deliciosa', updatedAt } },
  removeTag: { summary: 'There is no such member any more', value: { id: 1, name: 'Monstera', createdAt, updatedAt } },
  nothing: { summary: 'The plant as it was', value: monstera },
};

export const onePlant: Examples = { tagged: { summary: 'A plant with a tag', value: monstera } };

export const plantPages: Examples = {
  some: {
    summary: 'Plants by ascending id',
    value: [
      { id: -3, name: 'Moss', tag: '', createdAt, updatedAt: createdAt },
      monstera,
      { id: 2, name: 'Ficus', createdAt, updatedAt: createdAt },
    ],
  },
  none: { summary: 'There are none', value: [] },
};
