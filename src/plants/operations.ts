import { AppError, changedSince, foreignCursor, idTaken, noPlant } from '../base/app-error.ts';
import { isInt64 } from '../base/int64.ts';
import { etagOf, isKnown, versionsToMatch } from '../http/conditional.ts';
import { faultOf, invalidMembers, invalidParameters, missing } from '../http/faults.ts';
import { isTrue } from '../http/kinds.ts';
import { positionIn } from '../http/log-position.ts';
import { operation } from '../http/operation.ts';
import { invalidCount, invalidLimit, pageResponse } from '../http/paging.ts';
import { jsonResponse } from '../http/response.ts';
import { t } from '../http/schema.ts';
import { findByName } from './by-name.ts';
import { IfMatch, IfNoneMatch } from './conditions.ts';
import { createdPlants, newPlants, onePlant, patchedPlants, patches, plantPages, renamed } from './examples.ts';
import { cursorOf, expectPlace, isByName, type ListOrder } from './order.ts';
import { kindOf, rowsOfPlant, scanSteps } from './paging.ts';
import { createdPlantToJson, plantToJson, toNewPlant, toPlantPatch, versionOf } from './plant.ts';
import { monstera } from './sample.ts';
import { NewPlant, Plant, PlantListQuery, PlantPatch, PlantPath, PlantRecord } from './schemas.ts';
import type { PlantStore } from './store.ts';

const invalidSort = invalidParameters(faultOf(PlantListQuery, 'sort'));

interface Needs {
  readonly plants: PlantStore;
  readonly position?: () => bigint;
}

export const listPlants = operation({
  route: 'GET /plants',
  summary: 'List plants',
  description:
    'Lists plants by ascending id. `sort` has other orders. The body is an array and nothing else, so a `Link` header with `rel="next"` has the address of the next page, if there are more plants. Links stay valid while plants are added or removed. `name`, `search` and `tag` together select plants that fit all of them.',
  scope: 'plants:read',
  parameters: { query: PlantListQuery },
  responses: {
    200: {
      description: 'A page of plants.',
      headers: { Link: undefined, 'X-Total-Count': undefined },
      schema: t.Array(PlantRecord),
      examples: plantPages,
    },
  },
  failures: [invalidLimit, invalidSort, invalidCount, foreignCursor],
  handler:
    ({ plants }: Needs) =>
    async ({ request, query: { limit, sort, name, search, tag = [], after, count } }) => {
      const tags = typeof tag === 'string' ? [tag] : tag;
      const order: ListOrder = sort ?? 'id';
      const page = {
        request,
        query: { limit, sort, name, search, tag, after },
        // Plants with a name cannot be counted by an index.
        count: isTrue(count) && !name && !search ? (max: number) => plants.countUpTo(max, tags) : undefined,
      };
      if (isByName(order)) {
        const filters = { order, tags, name, search, limit: Number(limit), after: after || undefined };
        return pageResponse({ ...page, list: await findByName(plants, filters, request.signal) });
      }
      const filters = { order, tags, name, search };
      const kind = kindOf(filters);
      return pageResponse({
        ...page,
        list: async (items, cursor) => {
          const place = cursor === undefined ? undefined : expectPlace(order, cursor);
          const { end, ...page } = await plants.list({ limit: items, after: place, ...filters });
          return { ...page, end: end && cursorOf(order, end) };
        },
        rowsOfItem: rowsOfPlant(kind),
        scanSteps: kind.isFiltered ? scanSteps : undefined,
      });
    },
});

/** Relative to the request (RFC 9110 §10.2.2), so that it works behind a proxy that removes a prefix from the path. */
const locationOf = ({ id }: { readonly id: bigint }): string => `plants/${id}`;

/** Responds with exactly `{name}` or `{name, tag}`, as the specification requires. */
export const createPlant = operation({
  route: 'POST /plants',
  summary: 'Create a plant',
  description:
    'Creates a new plant in the store. The client chooses the id, which is the idempotency key: the same request can be repeated, with the same response and no further change, until the plant is updated or deleted. The specification of this service gives the status 200, not 201, and a response without the id, which the client knows; `Location` refers to the plant. Its words "plant response" mean the created plant as a `Plant`, and "unexpected error" a mistake in the request, which the number in `error` identifies.',
  scope: 'plants:write',
  body: {
    description: 'Plant to add to the store',
    schema: NewPlant,
    mediaTypes: ['application/json'],
    examples: newPlants,
    failure: invalidMembers(missing(faultOf(NewPlant, 'name'))),
  },
  responses: {
    200: {
      description: 'plant response',
      headers: { Location: locationOf(monstera), ETag: etagOf(versionOf(monstera)), 'X-Log-Position': undefined },
      schema: Plant,
      examples: createdPlants,
      links: {
        parameter: 'id',
        expression: '$request.body#/id',
        operations: ['getPlant', 'updatePlant', 'deletePlant'],
      },
    },
  },
  failures: [idTaken],
  badRequest: 'unexpected error',
  handler:
    ({ plants, position }: Needs) =>
    async ({ body }) => {
      const record = await plants.create(toNewPlant(body));
      return jsonResponse(createdPlantToJson(record), {
        location: locationOf(record),
        etag: etagOf(versionOf(record)),
        ...positionIn(position),
      });
    },
});

export const getPlant = operation({
  route: 'GET /plants/{id}',
  summary: 'Get a plant',
  description:
    'Returns the plant with its times. A `PlantRecord` is what the client sent, and the times that the service keeps. A client that has a version of the plant sends its `ETag` as `If-None-Match`, and gets 304 without a body while the plant has not changed.',
  scope: 'plants:read',
  parameters: { path: PlantPath, headers: IfNoneMatch },
  responses: {
    200: {
      description: 'The plant.',
      headers: { ETag: etagOf(versionOf(monstera)) },
      schema: PlantRecord,
      examples: onePlant,
    },
    304: {
      description: 'The plant has not changed: `If-None-Match` matches its version.',
      headers: { ETag: etagOf(versionOf(monstera)) },
    },
  },
  failures: [noPlant],
  handler:
    ({ plants }: Needs) =>
    async ({ params: { id }, headers }) => {
      const record = await plants.get(BigInt(id));
      if (!record) throw new AppError(noPlant);
      const version = versionOf(record);
      const etag = etagOf(version);
      return isKnown(headers, version)
        ? new Response(null, { status: 304, headers: { etag } })
        : jsonResponse(plantToJson(record), { etag });
    },
});

export const updatePlant = operation({
  route: 'PATCH /plants/{id}',
  summary: 'Update a plant',
  description:
    'Updates the members that the body contains, as a JSON Merge Patch (RFC 7396). Null removes the tag, and an omitted member does not change. Tools that know only `application/json` may send that; the meaning is the same. With `If-Match`, only the version that the client has seen is updated. A patch without an effect does not change the version.',
  externalDocs: { description: 'JSON Merge Patch, RFC 7396', url: 'https://www.rfc-editor.org/rfc/rfc7396' },
  scope: 'plants:write',
  parameters: { path: PlantPath, headers: IfMatch },
  body: {
    description: 'Members to update',
    schema: PlantPatch,
    mediaTypes: ['application/merge-patch+json', 'application/json'],
    examples: patches,
    failure: invalidMembers(faultOf(PlantPatch, 'tag')),
  },
  rules: () => (body, params) =>
    isInt64(body['id']) && `${body['id']}` !== params['id'] ? [faultOf(PlantPatch, 'id')] : [],
  responses: {
    200: {
      description: 'The updated plant.',
      headers: { ETag: etagOf(versionOf(renamed)), 'X-Log-Position': undefined },
      schema: PlantRecord,
      examples: patchedPlants,
    },
  },
  failures: [noPlant, changedSince],
  handler:
    ({ plants, position }: Needs) =>
    async ({ params, headers, body }) => {
      const record = await plants.update(BigInt(params.id), toPlantPatch(body), versionsToMatch(headers));
      return jsonResponse(plantToJson(record), { etag: etagOf(versionOf(record)), ...positionIn(position) });
    },
});

export const deletePlant = operation({
  route: 'DELETE /plants/{id}',
  summary: 'Delete a plant',
  description:
    'Deletes the plant. Its id can be used again. A second deletion gets 404, since there is no such plant any more.',
  scope: 'plants:write',
  parameters: { path: PlantPath, headers: IfMatch },
  responses: { 204: { description: 'The plant is deleted.', headers: { 'X-Log-Position': undefined } } },
  failures: [noPlant, changedSince],
  handler:
    ({ plants, position }: Needs) =>
    async ({ params: { id }, headers }) => {
      await plants.delete(BigInt(id), versionsToMatch(headers));
      return new Response(null, { status: 204, headers: positionIn(position) });
    },
});
