/** Imports a file by the service, which has the one reader of files. */
import type { Api, Data } from '../api/api.ts';
import { send } from '../api/client.ts';
import { type Format, mediaTypes } from './export-file.ts';

/** Its counts, and its rejected rows with their lines. */
export type ImportResult = Data<Api['import']['post']>;

export interface ImportOptions {
  /** Replaces existing plants, instead of rejecting their rows. */
  readonly isUpdate: boolean;
  /** Changes nothing. */
  readonly isDryRun: boolean;
}

/** The bytes go as they are: the service says what is wrong with another encoding. Throws Problem. */
export const importFile = async (
  token: string,
  body: string | ArrayBuffer,
  format: Format,
  { isUpdate, isDryRun }: ImportOptions,
): Promise<ImportResult> => {
  const query = `onConflict=${isUpdate ? 'replace' : 'fail'}&partial=true&dryRun=${isDryRun}`;
  const response = await send(token, `import?${query}`, {
    method: 'POST',
    headers: { 'content-type': mediaTypes[format] },
    body,
  });
  return response.json();
};
