import { type Command, InvalidArgumentError, Option } from 'commander';
import { AppError } from '../base/app-error.ts';
import { OperatorError } from '../base/error.ts';
import { isObject, type Json, parseJson } from '../base/json.ts';
import { isStorableText } from '../base/text.ts';
import type { Flags } from '../config/config.ts';
import { findByName } from '../plants/by-name.ts';
import { isByName, type ListOrder, listOrders, type PlantPlace } from '../plants/order.ts';
import { type Filters, tagsMax } from '../plants/paging.ts';
import { nameLengthMax, type PlantRecord, tagLengthMax } from '../plants/plant.ts';
import type { PlantStore } from '../plants/store.ts';
import type { Context } from './context.ts';
import { withStore } from './database.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption, addLimitOption } from './options.ts';

/** The columns, by the members of a plant: the compiler refuses a new member that is not here. A picture has no text for a column. */
const titles = {
  id: 'id',
  name: 'name',
  tag: 'tag',
  createdAt: 'created',
  updatedAt: 'updated',
} satisfies Record<Exclude<keyof PlantRecord, 'picture'>, string>;

export const addPlants = (program: Command, context: Context): void => {
  addLimitOption(addDatabaseOption(program.command('plants')))
    .description(`print one line per plant: ${Object.values(titles).join(', ')}; separated by tabs`)
    .addOption(new Option('--sort <order>', 'order').choices(listOrders))
    .option('--name <text>', 'beginning of their names', parserOfText(nameLengthMax))
    .option('--search <text>', 'text in their names, with A to Z in any case', parserOfText(nameLengthMax))
    .option('--tag <tag>', `one of up to ${tagsMax} tags`, parseTag)
    .action((flags) => list(flags, context));
};

interface ListFlags extends Flags {
  readonly sort?: ListOrder;
  readonly name?: string;
  readonly search?: string;
  readonly tag?: readonly string[];
  readonly limit: number;
}

const list = async (
  { sort: order = 'id', name, search, tag: tags = [], limit, ...flags }: ListFlags,
  { env, printRows }: Context,
): Promise<void> =>
  withStore(await loadConfig(flags, env), { create: false }, async ({ plants }) => {
    const filters = { name, search, tags };
    const pages = isByName(order)
      ? pageByName(plants, { ...filters, order, limit, after: undefined })
      : pagesOf(plants, { ...filters, order }, limit);
    for await (const rows of pages) printRows(rows);
  });

const pageLength = 100;

type Rows = readonly (readonly string[])[];

async function* pagesOf(plants: PlantStore, filters: Filters, limit: number): AsyncGenerator<Rows> {
  let after: PlantPlace | undefined;
  let rest = limit;
  do {
    const { json, end } = await plants.list({ ...filters, limit: Math.min(rest, pageLength), after });
    const rows = rowsOf(json);
    yield rows;
    rest -= rows.length;
    after = end;
  } while (after && rest > 0);
}

/** All of them are one page. Throws OperatorError if there are too many plants for the order. */
async function* pageByName(plants: PlantStore, query: Parameters<typeof findByName>[1]): AsyncGenerator<Rows> {
  try {
    const read = await findByName(plants, query, new AbortController().signal);
    yield rowsOf((await read(query.limit, undefined)).json);
  } catch (error) {
    const [detail] = error instanceof AppError ? (error.details ?? []) : [];
    if (!detail || !('parameter' in detail)) throw error;
    throw new OperatorError(`--${detail.parameter} ${detail.message}.`, { cause: error });
  }
}

const rowsOf = (json: Uint8Array): Rows => {
  const plants = parseJson(new TextDecoder().decode(json));
  return (Array.isArray(plants) ? plants : []).map(columnsOf);
};

const columnsOf = (plant: Json): readonly string[] => {
  const members = isObject(plant) ? plant : {};
  return Object.keys(titles).map((name) => `${members[name] ?? '-'}`);
};

const parserOfText =
  (lengthMax: number) =>
  (text: string): string => {
    if (!isStorableText(text, lengthMax)) throw new InvalidArgumentError(`It must be at most ${lengthMax} characters.`);
    return text;
  };

const parseTag = (text: string, earlier: readonly string[] = []): readonly string[] => {
  const tags = [...new Set([...earlier, parserOfText(tagLengthMax)(text)])];
  if (tags.length > tagsMax) throw new InvalidArgumentError(`At most ${tagsMax} tags can be given.`);
  return tags;
};
