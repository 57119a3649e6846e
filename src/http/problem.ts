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
      details: t.Optional(
        t.Array(
          t.Object(
            {
              pointer: t.Optional(
                t.String({
                  description: 'JSON Pointer (RFC 6901) of an invalid member of the body; empty for the whole body',
                }),
              ),
              parameter: t.Optional(t.String({ description: 'Name of an invalid query parameter or header' })),
              message: t.String({ description: 'What is wrong with it' }),
            },
            { ...closed, description: 'A fault, with either a `pointer` or a `parameter`' },
          ),
          {
            description:
              'All invalid members of the body (40001), or all invalid parameters of the query (40002). `message` is about the first.',
          },
        ),
      ),
    },
    {
      ...closed,
      description:
        'The reason why the request failed. All errors have this schema, except that the HTTP parser responds with an empty body to what is not valid HTTP (400, 413, 431, 505).',
    },
  ),
);
