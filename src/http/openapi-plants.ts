/** What the document says of the operations on plants. */
import {
  bodyFailures,
  conditionHeader,
  type Examples,
  etag,
  failures,
  header,
  ifMatch,
  json,
  linksTo,
  needs,
  nextLink,
  parametersOf,
  readFailures,
  ref,
  writeFailures,
} from './openapi-parts.ts';
import { PlantListQuery, PlantPath } from './schemas.ts';

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
          headers: { Link: nextLink },
          content: json({ type: 'array', items: ref('PlantRecord') }),
        },
        ...failures('invalid_query', 'invalid_cursor', ...readFailures),
      },
    },
    post: {
      operationId: 'createPlant',
      tags: ['plants'],
      summary: 'Create a plant',
      description:
        'Creates a new plant in the store. The id is the idempotency key: the same plant sent again is answered again and changes nothing.',
      security: needs('plants:write'),
      requestBody: {
        description: 'Plant to add to the store',
        required: true,
        content: json(ref('NewPlant'), newPlants),
      },
      responses: {
        200: {
          description: 'plant response',
          headers: { Location: header('The path of the plant.', 'uri-reference'), ETag: etag },
          content: json(ref('Plant'), createdPlants),
          links: linksTo('id', '$request.body#/id', {
            getPlant: 'The plant as it is kept.',
            updatePlant: 'Change it.',
            deletePlant: 'Remove it.',
          }),
        },
        ...failures(...bodyFailures, ...writeFailures, 'id_taken'),
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
      parameters: [conditionHeader('If-None-Match', 'Versions that the caller knows: entity tags, or `*` for any.')],
      responses: {
        200: { description: 'The plant.', headers: { ETag: etag }, content: json(ref('PlantRecord')) },
        304: { description: 'The caller knows this version.', headers: { ETag: etag } },
        ...failures('invalid_path_id', 'invalid_query', ...readFailures, 'not_found'),
      },
    },
    patch: {
      operationId: 'updatePlant',
      tags: ['plants'],
      summary: 'Change a plant',
      description:
        'Changes the members that the body has, by JSON Merge Patch (RFC 7396), and leaves the others. A patch that changes nothing keeps the version.',
      security: needs('plants:write'),
      parameters: [ifMatch],
      requestBody: {
        description: 'What is to change',
        required: true,
        content: {
          'application/merge-patch+json': { schema: ref('PlantPatch'), examples: patches },
          ...json(ref('PlantPatch'), patches),
        },
      },
      responses: {
        200: { description: 'The plant as it is now.', headers: { ETag: etag }, content: json(ref('PlantRecord')) },
        ...failures(
          ...bodyFailures,
          'invalid_query',
          'invalid_path_id',
          ...writeFailures,
          'not_found',
          'precondition_failed',
        ),
      },
    },
    delete: {
      operationId: 'deletePlant',
      tags: ['plants'],
      summary: 'Remove a plant',
      description: 'Removes the plant; its id is free again.',
      security: needs('plants:write'),
      parameters: [ifMatch],
      responses: {
        204: { description: 'The plant is gone.' },
        ...failures('invalid_query', 'invalid_path_id', ...writeFailures, 'not_found', 'precondition_failed'),
      },
    },
  },
};
