import { faultsOf, invalidParameters } from '../../http/faults.ts';
import { closed, named, query, t } from '../../http/schema.ts';
import { PlantListQuery } from '../schemas.ts';
import { ofEachFile } from './examples.ts';
import { conflictRules } from './import-rows.ts';
import { rejectedRowsMax } from './importer.ts';

export const ImportQuery = query({
  onConflict: t.Optional({
    ...t.Enumeration({
      words: conflictRules,
      description:
        'What to do with a row whose id belongs to a different plant: `fail` rejects the row, and is the default, `skip` keeps the existing plant, and `replace` replaces it.',
    }),
    examples: ofEachFile('fail'),
    error: `must be one of ${conflictRules.join(', ')}`,
  }),
  partial: t.Optional(
    t.BooleanText({
      examples: ofEachFile(true),
      description: 'If true, the valid rows are imported, and the response lists the rejected ones.',
      error: 'must be true or false',
    }),
  ),
  dryRun: t.Optional(
    t.BooleanText({
      examples: ofEachFile(true),
      description:
        'If true, nothing is imported: the response has the counts that an import would have, and all rejected rows.',
      error: 'must be true or false',
    }),
  ),
});

const { name, search, tag } = PlantListQuery.properties;

export const ExportQuery = query({
  name: t.Optional({
    ...name,
    description: 'Only plants whose name begins with this text, in the same case. If empty, it is ignored.',
  }),
  search: t.Optional({
    ...search,
    description: 'Only plants whose name contains this text, with A to Z in any case. If empty, it is ignored.',
  }),
  tag: t.Optional({
    ...tag,
    description: 'Only plants with exactly this tag. It can be repeated, for plants with one of several tags.',
  }),
});

export const invalidImportQuery = faultsOf(ImportQuery).map((fault) => invalidParameters(fault));

const count = (description: string) => t.Integer({ minimum: 0, description });

const RejectedRow = named(
  'RejectedRow',
  t.Object(
    {
      line: t.Integer({ minimum: 1, description: 'Line of the file on which the row begins' }),
      lines: t.Integer({ minimum: 1, description: 'Number of its lines: a field of CSV can have line breaks' }),
      message: t.String({ description: 'Why the row is rejected' }),
    },
    { ...closed, description: 'A row of a file that cannot be imported.' },
  ),
);

export const ImportResult = named(
  'ImportResult',
  t.Object(
    {
      dryRun: t.Boolean({ description: 'Whether nothing was imported, since `dryRun` was true' }),
      created: count('Rows whose plant was created'),
      replaced: count('Rows that replaced a different plant'),
      unchanged: count('Rows whose plant was in the store already'),
      skipped: count('Rows whose id belongs to a different plant, which was kept'),
      rejected: count('Rows that were rejected'),
      rejectedRows: t.Array(RejectedRow, {
        description: `The first ${rejectedRowsMax} rejected rows: the invalid ones, and then those whose id is taken.`,
      }),
      ignored: t.Array(t.String(), {
        description: 'Columns or members that a plant does not have, for people. Their values were ignored.',
        examples: [['"color"']],
      }),
    },
    { ...closed, description: 'What an import has done.' },
  ),
);

const file = (description: string) => t.String({ description });

export const NdjsonFile = file('NDJSON: a plant on each line, as a JSON object.');
export const CsvFile = file(
  'CSV (RFC 4180) in UTF-8, with a header. Commas, semicolons or tabs are between the columns, whose names may be in any case.',
);
