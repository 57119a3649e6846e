import { operation } from '../http/operation.ts';
import { jsonResponse } from '../http/response.ts';
import { closed, named, t } from '../http/schema.ts';
import { demo, reader } from '../tokens/sample.ts';
import { scopes } from '../tokens/token.ts';

const Token = named(
  'Token',
  t.Object(
    {
      name: t.String({ description: 'Name of the token', examples: ['laptop'] }),
      scopes: t.Array(t.Enumeration({ words: scopes, description: 'Scope that permits operations' }), {
        description: 'Scopes of the token',
        examples: [['plants:read']],
      }),
      expiresAt: t.Optional(t.Instant({ description: 'Expiry time. Omitted if the token does not expire.' })),
    },
    { ...closed, description: 'A token, without its secret text.' },
  ),
);

export const getToken = operation({
  route: 'GET /token',
  summary: 'Get the current token',
  description:
    'Returns the name, the scopes and the expiry time of the token of the request. No scope is required, so that every client can find out what its token permits.',
  responses: {
    200: {
      description: 'The token, without its secret text.',
      schema: Token,
      examples: {
        demo: { summary: 'A token with all scopes', value: demo },
        reader: { summary: 'A token with a read scope and an expiry time', value: reader },
      },
    },
  },
  handler:
    () =>
    ({ token: { name, scopes, expiresAt } }) =>
      jsonResponse({ name, scopes, expiresAt }),
});
