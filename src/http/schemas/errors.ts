/** The one shape of every error. */
import { Type } from '@sinclair/typebox';
import { problems } from '../problem.ts';
import { closed, named } from './shape.ts';

/** Every number that `error` can have, with its name in the code and its meaning. */
const catalogue = Object.entries(problems).map(([title, { error, description }]) => ({
  const: error,
  title,
  description,
}));

export const Problem = named(
  'Error',
  Type.Object(
    {
      error: Type.Unsafe<number>({
        type: 'integer',
        format: 'int32',
        description: 'Numeric error value: the status times 100, and a number of its own.',
        oneOf: catalogue,
        examples: [problems.invalid_body.error],
      }),
      message: Type.String({ description: 'Error message text', examples: ['/id must be the id in the path.'] }),
    },
    { ...closed, description: 'Why there is no other answer.' },
  ),
);
