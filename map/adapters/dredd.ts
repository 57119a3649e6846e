import type { AdapterText } from '../measure/adapter.ts';
import { decidingLine } from '../measure/check.ts';
import { Refusal } from '../measure/session.ts';
import { linkPackages } from './shared/packages.ts';

/** It expects each response of the document of one request, and a media type without parameters: hooks are how users change both. */
const hooks = `
const hooks = require('hooks');

hooks.beforeEach((transaction) => {
  transaction.skip = !/^2/.test(transaction.expected.statusCode);
});

hooks.beforeEachValidation(({ real }) => {
  const type = real.headers['content-type'];
  if (type !== undefined) real.headers['content-type'] = type.split(';', 1)[0];
});
`;

export const tool: AdapterText = {
  name: 'Dredd',
  kind: 'tester',
  language: 'JavaScript',
  registry: 'npm',
  package: 'dredd',
  version: '14.1.0',
  needs: ['node'],
  homepage: 'https://dredd.org/',
  tracker: 'https://github.com/apiaryio/dredd/issues',
  notes: [
    'It warns that OpenAPI 3.1 is not fully supported.',
    'It sends no request if a parameter of a path has no `example`. It does not count named `examples`.',
    'Hooks skip the responses that are errors, and take away the parameters of the media type, such as `charset`, which it refuses otherwise.',
  ],
  abilities: {
    test: async (session, url) => {
      await Bun.write(session.file('hooks.js'), hooks);
      // The packages that load the hooks need Node.js.
      linkPackages(session);
      const command = ['node', 'node_modules/.bin/dredd', 'openapi.yaml', url, '--hookfiles', 'hooks.js'];
      const { text, exitCode } = await session.run(command, { mayFail: true });
      // It sends no request then, which is no judgement of the server.
      if (text.includes('has no example or default value')) return { hasPassed: undefined };
      if (!/^complete: .*total$/m.test(text)) throw new Refusal(text);
      const status = /^.*statusCode: Expected.*$/m.exec(text)?.[0];
      return { hasPassed: exitCode === 0, line: status ?? decidingLine(text, /^fail: \w+:|^complete: .*total$/) };
    },
  },
};
