import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';

const generate = async ({ run }: Session): Promise<void> => {
  const options = ['-i', 'openapi.yaml', '-o', 'client', '-n', 'plants', '-v', '0.1.0'];
  await run(['cargo-progenitor', 'progenitor', ...options], { env: { RUST_BACKTRACE: '0' } });
};

export const tool: AdapterText = {
  name: 'progenitor',
  kind: 'generator',
  language: 'Rust',
  registry: 'cargo',
  package: 'cargo-progenitor',
  version: '0.15.1',
  homepage: 'https://github.com/oxidecomputer/progenitor',
  tracker: 'https://github.com/oxidecomputer/progenitor/issues',
  notes: ['It reads OpenAPI 3.0. Of that, a body with two media types is an error: "more media types than expected".'],
  abilities: {
    load: generate,
    code: async (session) => {
      await generate(session);
      return Bun.file(session.file('client/src/lib.rs')).text();
    },
  },
};
