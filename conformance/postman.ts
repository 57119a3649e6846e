/** The collection that Postman generates from the document, and its run by Newman, the command-line version of Postman. */
import { join } from 'node:path';
import { temporaryFolder } from '../tests/support/folder.ts';

/** A request that Newman has sent, and its response. */
export interface Execution {
  readonly request: Request;
  readonly response: Response;
}

export interface RunOptions {
  readonly url: string;
  readonly token: string;
  /** Whether the optional parameters are sent too. */
  readonly isComplete: boolean;
}

/** Sends each request of the collection, with the examples of the document. */
export const runPostman = async ({ url, token, isComplete }: RunOptions): Promise<readonly Execution[]> => {
  using folder = temporaryFolder();
  const collection = folder.file('collection.json');
  const options = `folderStrategy=Paths,parametersResolution=Example,enableOptionalParameters=${isComplete}`;
  const document = join(import.meta.dir, '../openapi/openapi.yaml');
  await run('openapi2postmanv2', ['--spec', document, '--output', collection, '--options', options]);

  const report = folder.file('report.json');
  const variables = ['--env-var', `baseUrl=${url}`, '--env-var', `bearerToken=${token}`];
  const reporters = ['--reporters', 'cli,json', '--reporter-json-export', report];
  await run('newman', ['run', collection, ...variables, '--timeout-request', '10000', ...reporters]);
  const { run: result }: { run: { executions: readonly RawExecution[] } } = await Bun.file(report).json();
  return result.executions.map((execution) => toExecution(url, execution));
};

interface RawExecution {
  readonly request: { readonly method: string; readonly url: { readonly path: readonly string[] } };
  readonly response: {
    readonly code: number;
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly stream: { readonly data: readonly number[] };
  };
}

/** Headers of the connection, which the document does not describe. */
const ofConnection = new Set(['connection', 'content-length', 'date', 'transfer-encoding']);

const toExecution = (url: string, { request, response }: RawExecution): Execution => {
  const headers = response.header.filter(({ key }) => !ofConnection.has(key.toLowerCase()));
  const body = Uint8Array.from(response.stream.data);
  return {
    request: new Request(`${url}/${request.url.path.join('/')}`, { method: request.method }),
    response: new Response(body.length > 0 ? body : null, {
      status: response.code,
      headers: headers.map(({ key, value }): [string, string] => [key, value]),
    }),
  };
};

const run = async (program: string, args: readonly string[]): Promise<void> => {
  const path = join(import.meta.dir, 'node_modules/.bin', program);
  const child = Bun.spawn([process.execPath, path, ...args], { stdout: 'pipe', stderr: 'pipe' });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${program} failed: ${output}${errors}`);
};
