import type { AdapterText } from '../measure/adapter.ts';
import { isInFiles } from './shared/files.ts';
import { modelOfRust, valuesOfModel } from './shared/rust.ts';

const parse = 'serde_json::from_str::<openapiv3::OpenAPI>(&text)';

export const tool: AdapterText = {
  name: 'openapiv3',
  kind: 'parser',
  language: 'Rust',
  registry: 'cargo',
  package: 'openapiv3',
  version: '2.2.0',
  with: { serde_json: '1.0.154' },
  homepage: 'https://github.com/glademiller/openapiv3',
  tracker: 'https://github.com/glademiller/openapiv3/issues',
  usage: parse,
  abilities: {
    load: async (session) => {
      await modelOfRust(session, parse);
    },
    resolve: async (session, pointers) =>
      isInFiles(session) ? pointers.map(() => undefined) : valuesOfModel(await modelOfRust(session, parse), pointers),
  },
};
