/**
 * The rows of the page that is shown. While it is open, rows change in place and none moves: a plant that others delete stays as a deleted row,
 * and those that they add are counted.
 */
import { differences, type Plant, type Values, valuesOf } from './members.ts';

export interface Row {
  readonly plant: Plant;
  /** What others have done, or the user has deleted, since the page was loaded. */
  readonly mark?: 'changed' | 'deleted' | undefined;
}

export interface Rows {
  readonly list: readonly Row[];
  /** The ids of the plants that others have added since. */
  readonly added: ReadonlySet<bigint>;
}

export const noRows: Rows = { list: [], added: new Set() };

export type RowsAction =
  | { readonly type: 'loaded'; readonly plants: readonly Plant[] }
  /** What this page has stored. */
  | { readonly type: 'stored'; readonly plant: Plant }
  | { readonly type: 'deleted'; readonly id: bigint }
  /** Events of the log, in its order. */
  | { readonly type: 'events'; readonly events: readonly RowEvent[] };

export interface RowEvent extends Partial<Values> {
  /** Of an event of a picture: also the one that was deleted. */
  readonly picture?: Plant['picture'];
  readonly type: string;
  readonly id: bigint;
  readonly timestamp: string;
}

export const reduceRows = (rows: Rows, action: RowsAction): Rows => {
  switch (action.type) {
    case 'loaded':
      return { list: action.plants.map((plant) => ({ plant })), added: new Set() };
    case 'stored':
      return {
        ...withRow(rows, action.plant.id, () => ({ plant: action.plant })),
        added: without(rows, action.plant.id),
      };
    case 'deleted':
      return withRow(rows, action.id, ({ plant }) => ({ plant, mark: 'deleted' }));
    case 'events':
      return withEvents(rows, action.events);
  }
};

const withEvents = (rows: Rows, events: readonly RowEvent[]): Rows => {
  const byId = new Map(rows.list.map((row) => [row.plant.id, row]));
  const added = new Set(rows.added);
  for (const event of events) {
    const row = byId.get(event.id);
    if (row) byId.set(event.id, afterEvent(row, event));
    if (event.type === 'plant.deleted') added.delete(event.id);
    else if (event.type === 'plant.created' && !row) added.add(event.id);
  }
  return { list: [...byId.values()], added };
};

const afterEvent = (row: Row, event: RowEvent): Row => {
  const { timestamp } = event;
  if (event.type === 'plant.deleted') return { plant: row.plant, mark: 'deleted' };
  // An event that happened before the page was loaded, or the own change.
  if (row.plant.updatedAt > timestamp) return row;
  if (event.picture) return withPicture(row, event);
  const values = valuesOf(event);
  const isSame = differences(valuesOf(row.plant), values).length === 0;
  if (isSame && row.mark !== 'deleted') return { ...row, plant: { ...row.plant, updatedAt: timestamp } };
  // The picture of a plant is deleted with it, and stays when others change the plant.
  const picture = event.type === 'plant.created' ? undefined : row.plant.picture;
  return { plant: plantWith({ ...row.plant, picture }, values, timestamp), mark: 'changed' };
};

const withPicture = ({ plant, mark }: Row, event: RowEvent): Row => {
  const picture = event.type === 'plant.picture.deleted' ? undefined : event.picture;
  const isSame = plant.picture?.digest === picture?.digest;
  return {
    plant: plantWith({ ...plant, picture }, valuesOf(plant), event.timestamp),
    mark: isSame ? mark : 'changed',
  };
};

const plantWith = (
  { id, createdAt, picture }: Omit<Plant, 'picture'> & { readonly picture: Plant['picture'] | undefined },
  values: Values,
  updatedAt: string,
): Plant => {
  const { name = '', tag, ...others } = values;
  // The compiler refuses a new member that is not here.
  const none = others satisfies Record<string, never>;
  return { id, name, ...(tag !== undefined && { tag }), ...none, createdAt, updatedAt, ...(picture && { picture }) };
};

const withRow = (rows: Rows, id: bigint, change: (row: Row) => Row): Rows => ({
  ...rows,
  list: rows.list.map((row) => (row.plant.id === id ? change(row) : row)),
});

const without = ({ added }: Rows, id: bigint): ReadonlySet<bigint> =>
  added.has(id) ? new Set([...added].filter((one) => one !== id)) : added;
