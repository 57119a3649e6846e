import { type Command, InvalidArgumentError, Option } from 'commander';
import { isObject, type Json, parseJson } from '../base/json.ts';
import { isStorableText } from '../base/text.ts';
import type { Flags } from '../config/config.ts';
import { type PlantOrder, type PlantPlace, plantOrders } from '../plants/order.ts';
import { tagsMax } from '../plants/paging.ts';
import { nameLengthMax, type PlantRecord, tagLengthMax } from '../plants/plant.ts';
import type { Context } from './context.ts';
import { withStore } from './database.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption, addLimitOption } from './options.ts';

/** The columns, by the members of a plant: the compiler refuses a new member that is not here. */
const titles = {
  id: 'id',
  name: 'name',
  tag: 'tag',
  createdAt: 'created',
  updatedAt: 'updated',
} satisfies Record<keyof PlantRecord, string>;

export const addPlants = (program: Command, context: Context): void => {
  addLimitOption(addDatabaseOption(program.command('plants')))
    .description(`print one line per plant: ${Object.values(titles).join(', ')}; separated by tabs`)
    .addOption(new Option('--sort <order>', 'order').choices(plantOrders))
    .option('--name <text>', 'beginning of their names', parserOfText(nameLengthMax))
    .option('--tag <tag>', `one of up to ${tagsMax} tags`, parseTag)
    .action((flags) => list(flags, context));
};

interface ListFlags extends Flags {
  readonly sort?: PlantOrder;
  readonly name?: string;
  readonly tag?: readonly string[];
  readonly limit: number;
}

const list = async (
  { sort: order, name, tag: tags, limit, ...flags }: ListFlags,
  { env, printRows }: Context,
): Promise<void> =>
  withStore(await loadConfig(flags, env), { create: false }, async ({ plants }) => {
    let after: PlantPlace | undefined;
    let rest = limit;
    do {
      const { json, end } = await plants.list({ limit: Math.min(rest, pageLength), after, order, name, tags });
      const found = parseJson(new TextDecoder().decode(json));
      const rows = (Array.isArray(found) ? found : []).map(columnsOf);
      printRows(rows);
      rest -= rows.length;
      after = end;
    } while (after && rest > 0);
  });

const pageLength = 100;

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
