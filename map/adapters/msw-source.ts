import type { AdapterText } from '../measure/adapter.ts';
import { Refusal } from '../measure/session.ts';
import { serveMock } from './shared/mock.ts';

interface Source {
  readonly fromOpenApi: (document: string) => Promise<readonly object[]>;
}

interface Msw {
  readonly getResponse: (
    handlers: readonly object[],
    request: Request,
    context: { readonly baseUrl: string },
  ) => Promise<Response | undefined>;
}

export const tool: AdapterText = {
  name: '@mswjs/source',
  kind: 'mock',
  language: 'JavaScript',
  registry: 'npm',
  package: '@mswjs/source',
  version: '0.5.0',
  with: { msw: '2.15.0' },
  homepage: 'https://source.mswjs.io/',
  tracker: 'https://github.com/mswjs/source/issues',
  usage: 'setupServer(...await fromOpenApi(document))',
  abilities: {
    respond: async (session) => {
      const source = await session.import<Source>('@mswjs/source/open-api');
      const msw = await session.import<Msw>('msw');
      const handlers = await source.fromOpenApi(JSON.stringify(session.document)).catch((error) => {
        throw new Refusal(`${error}`);
      });
      return serveMock(async (request) => {
        const baseUrl = new URL(request.url).origin;
        const response = await msw.getResponse(handlers, request, { baseUrl });
        return response ?? new Response('no handler', { status: 404 });
      });
    },
  },
};
