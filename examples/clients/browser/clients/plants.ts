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
  putPicture(plant: Plant, picture: Blob): Promise<unknown>;
  getPicture(plant: Plant): Promise<Blob>;
}

/** The header of a response that must be there. */
export const etagOf = (headers: Headers | undefined): string => {
  const etag = headers?.get('etag');
  if (!etag) throw new Error('The response has no ETag.');
  return etag;
};

/** What the types of a generator do not say of the body of a response. */
export const blobOf = (body: unknown): Blob => {
  if (!(body instanceof Blob)) throw new Error('The response is not a picture.');
  return body;
};

/** The body of a response: JSON, a picture, or nothing. */
export const readBody = async (response: Response): Promise<unknown> => {
  if (response.headers.get('content-type')?.startsWith('image/')) return response.blob();
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
};
