/** Examples by name. A request and its response have the same name, and tests send each request and compare the response. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object | string }>>;

/** The JSON of a body, as an example. */
export const toExample = (body: object): object => JSON.parse(JSON.stringify(body));
