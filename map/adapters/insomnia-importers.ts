import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';

interface Resource {
  readonly _type: string;
  /** Of an environment: its variables. A value can name others. */
  readonly data?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly method?: string;
  readonly body?: { readonly mimeType?: string; readonly text?: string };
  readonly headers?: readonly Field[];
  readonly parameters?: readonly Field[];
}

interface Field {
  readonly name: string;
  readonly value?: string;
  readonly disabled?: boolean;
}

/** Sends the requests as Insomnia does: with the variables of the environments. One with a variable that has no value is not sent. */
const sendAll = async (resources: readonly Resource[], server: string): Promise<void> => {
  const { protocol, host } = new URL(server);
  const own = { scheme: protocol.slice(0, -1), host };
  const variables = Object.assign({}, ...resources.map(({ data }) => data), own);
  const filled = (text: string): string => {
    const next = text.replaceAll(/\{\{ *(\w+) *\}\}/g, (all, name) => variables[name] ?? all);
    return next === text ? text : filled(next);
  };
  const enabled = (fields: readonly Field[] = []): [string, string][] =>
    fields.filter(({ disabled }) => !disabled).map(({ name, value = '' }) => [name, filled(value)]);
  for (const { url = '', method = '', body = {}, ...fields } of resources.filter(({ _type }) => _type === 'request')) {
    const target = filled(url);
    if (target.includes('{{')) continue;
    const sent = new URL(target);
    for (const [name, value] of enabled(fields.parameters)) sent.searchParams.append(name, value);
    const headers = new Headers(enabled(fields.headers));
    if (body.mimeType !== undefined) headers.set('content-type', body.mimeType);
    await fetch(sent, { method, headers, body: body.text ?? null });
  }
};

const importDocument = async ({ run, file }: Session): Promise<readonly Resource[]> => {
  const { text } = await run(['insomnia-import', 'openapi.yaml', 'insomnia.json']);
  // It ends with 0 where it has found no format.
  const made = Bun.file(file('insomnia.json'));
  if (!(await made.exists())) throw new Refusal(text, 'nothing generated');
  return (await made.json()).resources;
};

export const tool: AdapterText = {
  name: "Insomnia's importer",
  kind: 'tester',
  language: 'TypeScript',
  registry: 'npm',
  package: 'insomnia-importers',
  version: '3.6.0',
  homepage: 'https://github.com/Kong/insomnia',
  tracker: 'https://github.com/Kong/insomnia/issues',
  notes: [
    'It makes the requests of Insomnia, which has no command that sends them: the map does, with the variables of its environments. It has no tests of the responses.',
    'A parameter of a path is a variable without a value, which the user fills in.',
    'It says that its parser does not support OpenAPI 3.1, and then imports the document without resolving its references.',
  ],
  abilities: {
    test: async (session, url) => {
      await sendAll(await importDocument(session), url);
      return { hasPassed: undefined };
    },
  },
};
