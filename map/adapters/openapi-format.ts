import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { valuesOfModel } from './shared/rust.ts';

export const tool: AdapterText = {
  name: 'openapi-format',
  kind: 'parser',
  language: 'JavaScript',
  registry: 'npm',
  package: 'openapi-format',
  version: '1.33.6',
  homepage: 'https://openapi-format.com',
  tracker: 'https://github.com/thim81/openapi-format/issues',
  abilities: {
    // What it writes is read as a model, in which references are as they were.
    resolve: async (session, pointers) => valuesOfModel(JSON.parse(await format(session)), pointers),
    rewrite: (session) => format(session),
  },
};

const format = async ({ run, file }: Session): Promise<string> => {
  const { text } = await run(['openapi-format', 'openapi.yaml', '--output', 'formatted.json']);
  const formatted = Bun.file(file('formatted.json'));
  if (!(await formatted.exists())) throw new Refusal(text);
  return formatted.text();
};
