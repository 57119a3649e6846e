import { decodeCursor, encodeCursor } from '../base/cursor.ts';
import { int64ToJson } from '../base/int64.ts';
import { AppError, refuse } from '../domain/error.ts';
import { type PlantRecord, versionOf } from '../domain/plant.ts';
import { noPlant } from '../domain/plant-change.ts';
import type { PlantStore } from '../store/store.ts';
import { etagOf, knownVersions, versionsToMatch } from './conditional.ts';
import { answerPage } from './paging.ts';
import { jsonResponse } from './response.ts';
import type { NewPlantBody, PlantListParams, PlantPatchBody, PlantPathParams } from './schemas/plants.ts';

/** Answers with the Plant, exactly `{name}` or `{name, tag}`: what the specification promises, and no more. */
export const createPlant =
  (plants: PlantStore) =>
  async ({ body: { id, name, tag } }: { body: NewPlantBody }): Promise<Response> => {
    const record = await plants.create({ id, name, ...(tag !== undefined && { tag }) });
    return jsonResponse(
      { name: record.name, tag: record.tag },
      { location: `/plants/${record.id}`, etag: etagOf(versionOf(record)) },
    );
  };

export const listPlants =
  (plants: PlantStore) =>
  async ({ query: { limit, tag, after } }: { query: PlantListParams }): Promise<Response> => {
    const start = after === undefined ? undefined : readCursor(after);
    return answerPage({
      path: '/plants',
      query: { limit, tag, after },
      list: (count, last) => {
        const place = last?.id ?? start;
        return plants.list({
          limit: count,
          ...(place !== undefined && { after: place }),
          ...(tag !== undefined && { tag }),
        });
      },
      toBody,
      toCursor: ({ id }) => encodeCursor('plants', id),
    });
  };

export const getPlant =
  (plants: PlantStore) =>
  async ({ params: { id }, request: { headers } }: PlantRequest): Promise<Response> => {
    const isKnown = knownVersions(headers);
    const record = await plants.get(BigInt(id));
    if (!record) throw refuse(noPlant);
    const version = versionOf(record);
    const etag = etagOf(version);
    return isKnown(version)
      ? new Response(null, { status: 304, headers: { etag } })
      : jsonResponse(toBody(record), { etag });
  };

export const updatePlant =
  (plants: PlantStore) =>
  async ({
    params,
    body: { id, name, tag },
    request: { headers },
  }: PlantRequest & { body: PlantPatchBody }): Promise<Response> => {
    const pathId = BigInt(params.id);
    if (id !== undefined && id !== pathId) throw new AppError('invalid_body', '/id must be the id in the path.');
    const patch = { ...(name !== undefined && { name }), ...(tag !== undefined && { tag }) };
    const record = await plants.update(pathId, patch, versionsToMatch(headers));
    return jsonResponse(toBody(record), { etag: etagOf(versionOf(record)) });
  };

export const deletePlant =
  (plants: PlantStore) =>
  async ({ params: { id }, request: { headers } }: PlantRequest): Promise<Response> => {
    await plants.delete(BigInt(id), versionsToMatch(headers));
    return new Response(null, { status: 204 });
  };

/** What a request for one plant brings. */
interface PlantRequest {
  readonly params: PlantPathParams;
  readonly request: Request;
}

/** A record in the order in which it is read; an absent tag is left out by JSON. */
export const toBody = ({ id, name, tag, createdAt, updatedAt }: PlantRecord) => ({
  id: int64ToJson(id),
  name,
  tag,
  createdAt,
  updatedAt,
});

const readCursor = (text: string): bigint => {
  const position = decodeCursor('plants', text);
  if (position === undefined)
    throw new AppError('invalid_cursor', 'The query parameter after is not a cursor of this list.');
  return position;
};
