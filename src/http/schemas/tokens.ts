/** The shape of a token, as its bearer may see it. */
import { Type } from '@sinclair/typebox';
import { scopes } from '../../domain/token.ts';
import { enumeration, instant } from './kinds.ts';
import { closed, named } from './shape.ts';

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
