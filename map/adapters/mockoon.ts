import { freePort } from '../../tests/support/network/port.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { linkPackages } from './shared/packages.ts';

export const tool: AdapterText = {
  name: 'Mockoon',
  kind: 'mock',
  language: 'JavaScript',
  registry: 'npm',
  package: '@mockoon/cli',
  version: '9.9.0',
  needs: ['node'],
  homepage: 'https://mockoon.com/cli/',
  tracker: 'https://github.com/mockoon/mockoon/issues',
  abilities: {
    respond: async (session) => {
      const port = await freePort();
      // Its server is one of Node: on Bun it answers 404 to each request.
      linkPackages(session);
      const command = ['node', 'node_modules/.bin/mockoon-cli', 'start', '--data', 'openapi.yaml'];
      // The seed makes its random values the same each time.
      const options = ['--port', `${port}`, '--disable-log-to-file', '--disable-admin-api', '--faker-seed', '1'];
      const process = await session.start([...command, ...options], 'started');
      return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
    },
  },
};
