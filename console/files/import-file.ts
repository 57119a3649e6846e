/** Imports a file by the service, which has the one reader of files. */
import type { Api, Data } from '../api/api.ts';
import { send } from '../api/client.ts';

/** Its counts, and its rejected rows with their lines. */
export type ImportResult = Data<Api['import']['post']>;

export interface ImportOptions {
  /** Replaces existing plants, instead of rejecting their rows. */
  readonly isUpdate: boolean;
  /** Changes nothing. */
  readonly isDryRun: boolean;
}

export const csvType = 'text/csv';
export const ndjsonType = 'application/x-ndjson';

/** The bytes go as they are: the service says what is wrong with another encoding. Throws Problem. */
export const importFile = async (
  token: string,
  body: string | ArrayBuffer,
  type: string,
  { isUpdate, isDryRun }: ImportOptions,
): Promise<ImportResult> => {
  const query = `onConflict=${isUpdate ? 'replace' : 'fail'}&partial=true&dryRun=${isDryRun}`;
  const response = await send(token, `import?${query}`, { method: 'POST', headers: { 'content-type': type }, body });
  return response.json();
};
