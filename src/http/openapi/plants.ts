/** What the document says of the operations on plants. */

import { changedSince, idTaken, noPlant } from '../../domain/plant-change.ts';
import { statusOf } from '../problem.ts';
import { IfMatch, IfNoneMatch } from '../schemas/headers.ts';
import { NewPlant, Plant, PlantListQuery, PlantPatch, PlantPath, PlantRecord } from '../schemas/plants.ts';
import { ref, sentenceOf } from '../schemas/shape.ts';
import { type Failure, failureResponses, reading, takingBody, writing } from './failures.ts';
import { headersOf } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { type Examples, json, linksTo, listOf, needs } from './parts.ts';

const newPlants: Examples = {
  tagged: { summary: 'A plant with a tag', value: { id: 1, name: 'Monstera', tag: 'tropical' } },
  untagged: { summary: 'A plant without a tag', value: { id: 2, name: 'Ficus' } },
  negative: {
    summary: 'A negative id, and an empty tag, which is not the same as none',
    value: { id: -3, name: 'Moss', tag: '' },
  },
};

const createdPlants: Examples = {
  tagged: { summary: 'A plant with a tag', value: { name: 'Monstera', tag: 'tropical' } },
  untagged: { summary: 'A plant without a tag: there is no such member', value: { name: 'Ficus' } },
  negative: { summary: 'An empty tag', value: { name: 'Moss', tag: '' } },
};

const patches: Examples = {
  rename: { summary: 'Another name; the tag stays', value: { name: 'Monstera deliciosa' } },
  removeTag: { summary: 'No tag any more', value: { tag: null } },
  nothing: { summary: 'Nothing changes, not even the version', value: {} },
};

const invalidPrecondition: Failure = ['invalid_query', 'The header If-Match must be * or a list of entity tags.'];

const createdAt = '2026-05-01T09:30:00.000Z';
const updatedAt = '2026-05-01T09:31:00.000Z';

const unchanged = { id: 1, name: 'Monstera', tag: 'tropical', createdAt, updatedAt: createdAt };

const patched: Examples = {
  rename: {
    summary: 'The tag is as it was',
    value: { id: 1, name: 'Monstera deliciosa', tag: 'tropical', createdAt, updatedAt },
  },
  removeTag: { summary: 'There is no such member any more', value: { id: 1, name: 'Monstera', createdAt, updatedAt } },
  nothing: { summary: 'The plant as it was', value: unchanged },
};

const onePlant: Examples = { tagged: { summary: 'A plant with a tag', value: unchanged } };

const page: Examples = {
  some: {
    summary: 'Plants by ascending id',
    value: [
      { id: -3, name: 'Moss', tag: '', createdAt, updatedAt: createdAt },
      unchanged,
      { id: 2, name: 'Ficus', createdAt, updatedAt: createdAt },
    ],
  },
  none: { summary: 'There are none', value: [] },
};

const badRequest = statusOf('malformed_body');

const createFailures = failureResponses(
  ...takingBody('application/json'),
  ['invalid_body', sentenceOf(NewPlant.properties.name)],
  ...writing('plants:write'),
  idTaken,
);

export const plantPaths = {
  '/plants': {
    get: {
      operationId: 'listPlants',
      tags: ['plants'],
      summary: 'List plants',
      description:
        'Lists plants by ascending id. While there is more, a `Link` with `rel="next"` leads to the next page; it holds while plants come and go.',
      security: needs('plants:read'),
      parameters: parametersOf('query', PlantListQuery),
      responses: {
        200: {
          description: 'A page of plants.',
          headers: headersOf('Link'),
          content: json(listOf(PlantRecord), page),
        },
        ...failureResponses(
          ['invalid_query', sentenceOf(PlantListQuery.properties.limit)],
          ['invalid_cursor', 'The query parameter after is not a cursor of this list.'],
          ...reading('plants:read'),
        ),
      },
    },
    post: {
      operationId: 'createPlant',
      tags: ['plants'],
      summary: 'Create a plant',
      description:
        'Creates a new plant in the store. The id is the idempotency key: for as long as nobody has changed the plant, the same one sent again is answered again and changes nothing.',
      security: needs('plants:write'),
      requestBody: {
        description: 'Plant to add to the store',
        required: true,
        content: json(ref(NewPlant), newPlants),
      },
      responses: {
        200: {
          description: 'plant response',
          headers: headersOf('Location', 'ETag'),
          content: json(ref(Plant), createdPlants),
          links: linksTo('id', '$request.body#/id', {
            getPlant: 'The plant as it is kept.',
            updatePlant: 'Change it.',
            deletePlant: 'Remove it.',
          }),
        },
        ...createFailures,
        // The specification's own words.
        [badRequest]: { ...createFailures[badRequest], description: 'unexpected error' },
      },
    },
  },
  '/plants/{id}': {
    parameters: parametersOf('path', PlantPath),
    get: {
      operationId: 'getPlant',
      tags: ['plants'],
      summary: 'Get a plant',
      description: 'Answers with the plant as it is kept.',
      security: needs('plants:read'),
      parameters: parametersOf('header', IfNoneMatch),
      responses: {
        200: { description: 'The plant.', headers: headersOf('ETag'), content: json(ref(PlantRecord), onePlant) },
        304: { description: 'The caller knows this version.', headers: headersOf('ETag') },
        ...failureResponses(
          'invalid_path_id',
          ['invalid_query', 'The header If-None-Match must be * or a list of entity tags.'],
          ...reading('plants:read'),
          noPlant,
        ),
      },
    },
    patch: {
      operationId: 'updatePlant',
      tags: ['plants'],
      summary: 'Change a plant',
      externalDocs: { url: 'https://www.rfc-editor.org/rfc/rfc7396', description: 'JSON Merge Patch, RFC 7396' },
      description:
        'Changes the members that the body has, by JSON Merge Patch (RFC 7396), and leaves the others. A patch that changes nothing keeps the version.',
      security: needs('plants:write'),
      parameters: parametersOf('header', IfMatch),
      requestBody: {
        description: 'What is to change',
        required: true,
        content: {
          'application/merge-patch+json': { schema: ref(PlantPatch), examples: patches },
          ...json(ref(PlantPatch), patches),
        },
      },
      responses: {
        200: {
          description: 'The plant as it is now.',
          headers: headersOf('ETag'),
          content: json(ref(PlantRecord), patched),
        },
        ...failureResponses(
          ...takingBody('application/merge-patch+json', 'application/json'),
          ['invalid_body', sentenceOf(PlantPatch.properties.tag)],
          'invalid_path_id',
          invalidPrecondition,
          ...writing('plants:write'),
          noPlant,
          changedSince,
        ),
      },
    },
    delete: {
      operationId: 'deletePlant',
      tags: ['plants'],
      summary: 'Remove a plant',
      description: 'Removes the plant; its id is free again.',
      security: needs('plants:write'),
      parameters: parametersOf('header', IfMatch),
      responses: {
        204: { description: 'The plant is gone.' },
        ...failureResponses('invalid_path_id', invalidPrecondition, ...writing('plants:write'), noPlant, changedSince),
      },
    },
  },
};
