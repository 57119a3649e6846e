/** What is measured, and the results, as `results.json` has them. */

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type EngineName = (typeof engines)[number];

/** In the order of the table. The unit is CPU time for each request, plant or event, except where it is named. */
export const operations = {
  get: 'get one, µs',
  create: 'create, µs',
  'list, first': 'list of 100, first page, µs',
  'list, middle': '… in the middle, µs',
  'list, last': '… at the end, µs',
  'rare tag': 'a tag of one plant, µs',
  stream: 'stream from the start, µs an event',
  prune: 'prune, µs an event',
  import: 'import, µs a plant',
  export: 'export, µs a plant',
  backup: 'backup, µs a plant',
  start: 'start, ms',
  size: 'size, bytes a plant with its event',
} as const;
export type Operation = keyof typeof operations;

/** Those of a store in which each plant has a picture of 50 KB. */
export const operationsWithPictures = {
  get: operations.get,
  create: operations.create,
  'list, first': operations['list, first'],
  'list, middle': operations['list, middle'],
  stream: operations.stream,
  export: operations.export,
  backup: operations.backup,
  start: operations.start,
  size: operations.size,
  'get picture': 'get a picture, µs',
  'put picture': 'put a picture, µs',
} as const;
export type OperationWithPictures = keyof typeof operationsWithPictures;

/** The figures of the service with the database server, and of the database alone for the same statements. */
export interface Growth {
  readonly engine: EngineName;
  readonly plants: number;
  readonly service: Readonly<Partial<Record<Operation, number>>>;
  readonly bare: Readonly<Partial<Record<Operation, number>>>;
}

export interface GrowthResults {
  readonly date: string;
  readonly growths: readonly Growth[];
  /** Of a store with pictures, and beside it of the same without. */
  readonly pictures: readonly GrowthWithPictures[];
}

export interface GrowthWithPictures {
  readonly engine: EngineName;
  readonly plants: number;
  readonly with: Figures;
  readonly without: Figures;
}

export type Figures = Readonly<Partial<Record<OperationWithPictures, number>>>;
