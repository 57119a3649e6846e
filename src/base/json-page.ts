/** A page of a list as JSON, which an engine can write without an object for each row. */
export interface JsonPage<Place> {
  /** An array of the items, in UTF-8. */
  readonly json: Uint8Array<ArrayBuffer>;
  /** The place of the last item, after which the next page begins. Absent on the last page. */
  readonly end?: Place;
}

export const emptyPage: JsonPage<never> = { json: Buffer.from('[]') };

/** The first `limit` of the items. One more item shows that there is another page. */
export const toJsonPage = <Item, Place>(
  items: readonly Item[],
  limit: number,
  { toJson, placeOf }: { readonly toJson: (item: Item) => string; readonly placeOf: (item: Item) => Place },
): JsonPage<Place> => {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return {
    json: Buffer.from(`[${page.map(toJson).join(',')}]`),
    ...(items.length > limit && last !== undefined && { end: placeOf(last) }),
  };
};
