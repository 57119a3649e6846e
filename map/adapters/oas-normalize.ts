import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { problemsOfError, valuesAt } from './shared/parser.ts';

interface Normalize {
  readonly default: new (
    path: string,
    options: { readonly enablePaths: true },
  ) => { readonly validate: () => Promise<unknown>; readonly dereference: () => Promise<unknown> };
}

/** It looks for other files in the folder where it runs, and not in that of the document: here they are the same. */
const inFolder = async <T>({ folder }: Session, ask: () => Promise<T>): Promise<T> => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await ask();
  } finally {
    process.chdir(before);
  }
};

const open = async ({ import: imported, file }: Session, name = 'openapi.yaml') => {
  const { default: OASNormalize } = await imported<Normalize>('oas-normalize');
  return new OASNormalize(file(name), { enablePaths: true });
};

export const tool: AdapterText = {
  name: 'oas-normalize',
  kind: 'parser',
  language: 'JavaScript',
  registry: 'npm',
  package: 'oas-normalize',
  version: '17.0.1',
  homepage: 'https://github.com/readmeio/oas/tree/main/packages/oas-normalize',
  tracker: 'https://github.com/readmeio/oas/issues',
  usage: "await new OASNormalize('openapi.yaml', { enablePaths: true }).validate()",
  abilities: {
    // It compares the document with the official schema, which leaves schemas to JSON Schema.
    lint: async (session, questions) =>
      inFolder(session, () =>
        Promise.all(
          questions.map(async ({ file, level = 'document' }) =>
            level === 'document' ? problemsOfError((await open(session, file)).validate()) : undefined,
          ),
        ),
      ),
    resolve: async (session, pointers) => {
      const normalize = await open(session);
      const model = await inFolder(session, () => normalize.dereference()).catch((error) => {
        throw new Refusal(`${error}`);
      });
      return valuesAt(model, pointers);
    },
  },
};
