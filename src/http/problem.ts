import { errors } from '../base/app-error.ts';
import { closed, named, t } from './schema.ts';

/** The body of every response of 400 and above. */
export const Problem = named(
  'Error',
  t.Object(
    {
      error: t.Unsafe<number>({
        type: 'integer',
        format: 'int32',
        description: 'Numeric error value: the status code times 100, plus a number within the status',
        oneOf: Object.entries(errors).map(([title, error]) => ({
          const: error.number,
          title,
          description: 'detail' in error ? `${error.meaning} ${error.detail}` : error.meaning,
        })),
      }),
      message: t.String({ description: 'Error message text' }),
    },
    {
      ...closed,
      description:
        'The reason why the request failed. All errors have this schema, except that the HTTP parser responds with an empty body to what is not valid HTTP (400, 413, 431, 505).',
    },
  ),
);
