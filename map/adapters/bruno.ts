import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { linkPackages } from './shared/packages.ts';

/** The server of the document, which may be relative, is a variable of the collection. */
const serverIn = async ({ folder, file }: Session): Promise<string> => {
  const [path] = new Bun.Glob('collection/environments/*.yml').scanSync(folder);
  const environment = path === undefined ? '' : await Bun.file(file(path)).text();
  return /name: baseUrl\n +value: (\/.*)/.exec(environment)?.[1] ?? '';
};

export const tool: AdapterText = {
  name: 'Bruno',
  kind: 'tester',
  language: 'JavaScript',
  registry: 'npm',
  package: '@usebruno/cli',
  version: '4.1.0',
  needs: ['node'],
  homepage: 'https://www.usebruno.com/',
  tracker: 'https://github.com/usebruno/bruno/issues',
  notes: ['The imported collection sends requests, and has no tests of the responses.'],
  abilities: {
    test: async (session, url) => {
      await session.run(['bru', 'import', 'openapi', '-s', 'openapi.yaml', '-o', '.', '-n', 'collection']);
      linkPackages(session);
      // A collection runs only in its own folder.
      const bru = ['env', '-C', 'collection', '../node_modules/.bin/bru'];
      const server = `${url}${await serverIn(session)}`;
      const { text } = await session.run([...bru, 'run', '--env-var', `baseUrl=${server}`], { mayFail: true });
      if (!text.includes('Requests')) throw new Refusal(text);
      return { hasPassed: undefined };
    },
  },
};
