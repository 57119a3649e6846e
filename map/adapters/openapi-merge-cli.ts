import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { valuesOfModel } from './shared/rust.ts';

export const tool: AdapterText = {
  name: 'openapi-merge-cli',
  kind: 'parser',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-merge-cli',
  version: '2.0.2',
  homepage: 'https://github.com/robertmassaioli/openapi-merge',
  tracker: 'https://github.com/robertmassaioli/openapi-merge/issues',
  notes: ['It merges the one document, so that each difference is its own.'],
  abilities: {
    // What it writes is read as a model, in which references are as they were.
    resolve: async (session, pointers) => valuesOfModel(JSON.parse(await merge(session)), pointers),
    rewrite: (session) => merge(session),
  },
};

const merge = async ({ run, file }: Session): Promise<string> => {
  const configuration = {
    inputs: [{ inputFile: 'openapi.yaml' }],
    output: 'merged.json',
    resolveExternalReferences: true,
    inputRoot: '.',
  };
  await Bun.write(file('openapi-merge.json'), JSON.stringify(configuration, null, 2));
  const { text } = await run(['openapi-merge-cli']);
  const merged = Bun.file(file('merged.json'));
  if (!(await merged.exists())) throw new Refusal(text);
  return merged.text();
};
