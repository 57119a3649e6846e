import { AppError } from '../domain/error.ts';
import { int64ToJson } from '../domain/int64.ts';
import { type PlantRecord, versionOf } from '../domain/plant.ts';
import type { PlantStore } from '../store/store.ts';
import type { NewPlantBody, PlantPathParams } from './schemas.ts';

/** Answers with the Plant, exactly `{name}` or `{name, tag}`: what the specification promises, and no more. */
export const createPlant =
  (plants: PlantStore) =>
  async ({ body: { id, name, tag } }: { body: NewPlantBody }): Promise<Response> => {
    const record = await plants.create({ id, name, ...(tag !== undefined && { tag }) });
    return json({ name: record.name, tag: record.tag }, { location: `/plants/${record.id}`, etag: etagOf(record) });
  };

export const getPlant =
  (plants: PlantStore) =>
  async ({ params: { id } }: { params: PlantPathParams }): Promise<Response> => {
    const record = await plants.get(BigInt(id));
    if (!record) throw new AppError('not_found', 'There is no plant with this id.');
    return json(toBody(record), { etag: etagOf(record) });
  };

/** A record in the order in which it is read; an absent tag is left out by JSON. */
const toBody = ({ id, name, tag, createdAt, updatedAt }: PlantRecord) => ({
  id: int64ToJson(id),
  name,
  tag,
  createdAt,
  updatedAt,
});

/** A strong entity tag (RFC 9110 §8.8.3). */
const etagOf = (record: PlantRecord): string => `"${versionOf(record)}"`;

const json = (body: object, headers: Record<string, string>): Response =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json', ...headers } });
