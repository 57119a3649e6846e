/** What the tests do with each generated client. */
export interface Plant {
  readonly id: string;
  readonly name: string;
}

export interface PlantClient {
  create(plant: Plant): Promise<unknown>;
  list(): Promise<readonly Plant[]>;
  /** Resolves to its `ETag`. Read it when the user begins to edit. */
  readVersion(plant: Plant): Promise<string>;
  /** Sends the id as the text that was received, in the path and in the body: the service refuses a change if they differ. */
  rename(plant: Plant, name: string, version: string): Promise<unknown>;
}

/** The header of a response that must be there. */
export const etagOf = (headers: Headers | undefined): string => {
  const etag = headers?.get('etag');
  if (!etag) throw new Error('The response has no ETag.');
  return etag;
};
