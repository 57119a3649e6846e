import type { AdapterText } from '../measure/adapter.ts';
import { isInFiles } from './shared/files.ts';
import { modelOfRust, valuesOfModel } from './shared/rust.ts';

const parse = 'oas3::from_json(&text)';

export const tool: AdapterText = {
  name: 'oas3',
  kind: 'parser',
  language: 'Rust',
  registry: 'cargo',
  package: 'oas3',
  version: '0.22.0',
  with: { serde_json: '1.0.154' },
  homepage: 'https://github.com/x52dev/oas3-rs',
  tracker: 'https://github.com/x52dev/oas3-rs/issues',
  usage: parse,
  abilities: {
    load: async (session) => {
      await modelOfRust(session, parse);
    },
    resolve: async (session, pointers) =>
      isInFiles(session) ? pointers.map(() => undefined) : valuesOfModel(await modelOfRust(session, parse), pointers),
  },
};
