import { emptyBody, idTaken, importBytesMax, importRowsMax, otherMediaType } from '../../base/app-error.ts';
import { isTrue } from '../../http/kinds.ts';
import { positionIn } from '../../http/log-position.ts';
import { parseMediaType, preferredType } from '../../http/media-type.ts';
import { operation } from '../../http/operation.ts';
import type { Upload } from '../../http/upload.ts';
import { fitsFilters } from '../paging.ts';
import { csv } from './csv.ts';
import { csvExports, csvFiles, importResults, ndjsonExports, ndjsonFiles, rejectedRow } from './examples.ts';
import { createExporter, type ExporterOptions } from './exporter.ts';
import { fileTooLarge, invalidRows, takenRows, tooManyExports, tooManyImports, tooManyRows } from './failures.ts';
import { createImporter, type ImporterOptions } from './importer.ts';
import { ndjson } from './ndjson.ts';
import { CsvFile, ExportQuery, ImportQuery, ImportResult, invalidImportQuery, NdjsonFile } from './schemas.ts';

const upload = {
  description: 'File of plants',
  bytesMax: importBytesMax,
  tooLarge: fileTooLarge,
  contents: {
    'application/x-ndjson': { schema: NdjsonFile, examples: ndjsonFiles },
    'text/csv': { schema: CsvFile, examples: csvFiles },
  },
} satisfies Upload;

interface Needs extends ImporterOptions {
  readonly position?: () => bigint;
}

export const exportPlants = operation({
  route: 'GET /export',
  tag: 'plants',
  summary: 'Export plants',
  description:
    'Exports all plants by ascending id, or those that fit `name`, `search` and `tag`, from one consistent snapshot: as NDJSON, or with `Accept: text/csv` as CSV. The response is complete if it ends with its last chunk; a connection that is closed before has cut it off. An import of it gives the same plants, with their times. Values do not change: a spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, so import the file there as text.',
  scope: 'plants:read',
  parameters: { query: ExportQuery },
  responses: {
    200: {
      description: 'The plants.',
      headers: { 'Cache-Control': 'no-store' },
      schema: NdjsonFile,
      mediaType: 'application/x-ndjson',
      examples: ndjsonExports,
      alternatives: [{ mediaType: 'text/csv', schema: CsvFile, examples: csvExports }],
    },
  },
  failures: [tooManyExports],
  handler: (needs: ExporterOptions) => {
    const start = createExporter(needs);
    return async ({ request, query: { name, search, tag = [] } }) => {
      const contentType = preferredType(request.headers, ['application/x-ndjson', 'text/csv']);
      const headers = { 'content-type': contentType, 'cache-control': 'no-store', vary: 'accept' };
      // With a body that has no length, as the export. It is not read.
      if (request.method === 'HEAD') return new Response(new ReadableStream(), { headers });
      const text = await start({
        format: contentType === 'text/csv' ? csv : ndjson,
        fits: fitsFilters({ name, search, tags: typeof tag === 'string' ? [tag] : tag }),
      });
      return new Response(text, { headers });
    };
  },
});

export const importPlants = operation({
  route: 'POST /import',
  tag: 'plants',
  summary: 'Import plants',
  description: `Imports the plants of a file, in NDJSON or CSV, as the command \`import\` does: all of them in one transaction, or none if a row is rejected. With \`partial=true\`, the others are imported. A row has \`id\`, \`name\` and \`tag\`, and perhaps the times of an export. The file is checked completely before the transaction begins. It has at most ${importRowsMax} rows and ${importBytesMax / 1024 ** 2} MiB. Each created or replaced plant has its event. A repeated import changes nothing: its rows are unchanged.`,
  scope: 'plants:write',
  parameters: { query: ImportQuery },
  upload,
  responses: {
    200: {
      description: 'What the import has done, or would do.',
      headers: { 'X-Log-Position': undefined },
      schema: ImportResult,
      examples: importResults,
    },
  },
  failures: [
    emptyBody,
    invalidRows(1, rejectedRow),
    ...invalidImportQuery,
    takenRows(1, { ...rejectedRow, message: idTaken.message }),
    fileTooLarge,
    tooManyRows,
    otherMediaType(Object.keys(upload.contents)),
    tooManyImports,
  ],
  handler: ({ position, ...needs }: Needs) => {
    const importFile = createImporter(needs);
    return async ({ request, headers, query: { onConflict = 'fail', partial, dryRun } }) => {
      const response = await importFile({
        request,
        upload,
        format: parseMediaType(headers['content-type'] ?? '')?.essence === 'text/csv' ? csv : ndjson,
        onConflict,
        isPartial: isTrue(partial),
        isDryRun: isTrue(dryRun),
      });
      for (const [name, value] of Object.entries(positionIn(position))) response.headers.set(name, value);
      return response;
    };
  },
});
