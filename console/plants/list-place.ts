/** What the list of plants shows, as the query in the address of the page: a filter, an order, a page, and the plant that is open. */

export const sorts = {
  id: 'Id',
  '-id': 'Id, descending',
  createdAt: 'Oldest first',
  '-createdAt': 'Newest first',
  name: 'Name',
  '-name': 'Name, descending',
} as const;

export type Sort = keyof typeof sorts;

export interface ListPlace {
  /** A text in their names. */
  readonly search: string;
  /** Plants with one of these tags; with any tag and without one, if there are none. */
  readonly tags: readonly string[];
  readonly sort: Sort;
  /** The page begins after this cursor. */
  readonly after: string | undefined;
  readonly page: number;
  /** The id of the plant whose details are shown. */
  readonly open: string | undefined;
}

export const everything: ListPlace = {
  search: '',
  tags: [],
  sort: 'id',
  after: undefined,
  page: 1,
  open: undefined,
};

export const tagsMax = 10;

/** Reads every text: what it does not know has its default. */
export const readListPlace = (query: string): ListPlace => {
  const values = new URLSearchParams(query);
  const sort = values.get('sort') ?? '';
  const after = values.get('after') || undefined;
  const page = Number(values.get('page'));
  const open = values.get('open') ?? '';
  return {
    search: values.get('search') ?? '',
    tags: [...new Set(values.getAll('tag'))].slice(0, tagsMax),
    sort: isSort(sort) ? sort : 'id',
    after,
    page: after !== undefined && Number.isSafeInteger(page) && page > 1 ? page : 1,
    open: /^-?\d{1,19}$/.test(open) ? open : undefined,
  };
};

/** Without what has its default. */
export const writeListPlace = ({ search, tags, sort, after, page, open }: ListPlace): string => {
  const values = new URLSearchParams();
  if (search !== '') values.append('search', search);
  for (const tag of tags) values.append('tag', tag);
  if (sort !== 'id') values.append('sort', sort);
  if (after !== undefined) {
    values.append('after', after);
    values.append('page', `${page}`);
  }
  if (open !== undefined) values.append('open', open);
  return `${values}`;
};

export const isSort = (text: string): text is Sort => Object.hasOwn(sorts, text);

/** The service has no such order if too many plants fit. */
export const isByName = (sort: Sort): boolean => sort === 'name' || sort === '-name';

/** The first page of the plants that another filter or order selects. */
export const withFilter = (place: ListPlace, change: Partial<ListPlace>): ListPlace => ({
  ...place,
  ...change,
  after: undefined,
  page: 1,
});

/** What the search field means: `tag:shade` is a tag, and another text a part of a name. */
export const readSearch = (text: string): { readonly tag: string } | { readonly search: string } => {
  const [, tag] = /^\s*tag:(.*)$/is.exec(text) ?? [];
  return tag === undefined ? { search: text.trim() } : { tag: tag.trim() };
};

/** The order after a click on a heading: ascending, and then descending. Undefined if the list cannot have it. */
export const nextSort = (sort: Sort, column: string): Sort | undefined => {
  const next = sort === column ? `-${column}` : column;
  return isSort(next) ? next : undefined;
};
