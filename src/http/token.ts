import { Type } from '@sinclair/typebox';
import { demo, reader } from '../domain/fixture.ts';
import { scopes } from '../domain/token.ts';
import { operation } from './operation.ts';
import { jsonResponse } from './response.ts';
import { enumeration, instant } from './schema/kinds.ts';
import { closed, named } from './schema/shape.ts';

export const Token = named(
  'Token',
  Type.Object(
    {
      name: Type.String({ description: 'What the token is for', examples: ['laptop'] }),
      scopes: Type.Array(enumeration({ words: scopes, description: 'Something that it may be used for' }), {
        description: 'What the token may be used for',
        examples: [['plants:read']],
      }),
      expiresAt: Type.Optional(instant({ description: 'When the token stops to hold; absent when it does not.' })),
    },
    { ...closed, description: 'A token, without its text.' },
  ),
);

export const getToken = operation({
  route: 'GET /token',
  summary: 'Get the own token',
  description: 'Returns the name, the scopes and the expiry of the token of the caller. Any token may ask.',
  answers: {
    200: {
      description: 'The token, without its text.',
      schema: Token,
      examples: {
        demo: { summary: 'A token that may do everything', value: demo },
        reader: { summary: 'A token that may only read, until a time', value: reader },
      },
    },
  },
  handler:
    () =>
    ({ token: { name, scopes, expiresAt } }) =>
      jsonResponse({ name, scopes, expiresAt }),
});
