/** The checks of a keyword of JSON Schema in the schema of a body, which is that of the response too. */
import type { Checks } from '../../measure/case.ts';
import { membersOf, refused } from './body.ts';

type Members = Readonly<Record<string, unknown>>;

export interface Keyword {
  readonly valid: Members;
  /** Only the keyword refuses it. */
  readonly invalid: Members;
  /** What is invalid in it, for a reader: `a spot in the wrong order`. */
  readonly mistake: string;
  /** Whether a body follows the schema. */
  readonly follows: (members: Members) => boolean;
  /** Where the keyword is in the schema of the body, once references are resolved, and what it has there. */
  readonly place: string;
  readonly value: unknown;
  /** Where the keyword is in the document, and a value that it must not have. */
  readonly pointer: string;
  readonly wrong: unknown;
  /** A type of a language can say it. */
  readonly isTyped?: boolean;
}

const schema = '/paths/~1plant/put/requestBody/content/application~1json/schema';

export const checksOfKeyword = ({ valid, invalid, mistake, follows, ...keyword }: Keyword): Checks => ({
  validate: [
    { check: 'a valid body', isBasic: true, operation: 'setPlant', body: valid, isValid: true },
    { check: mistake, operation: 'setPlant', body: invalid, isValid: false },
    { check: 'a valid response', isBasic: true, side: 'response', operation: 'setPlant', body: valid, isValid: true },
    { check: `${mistake} in a response`, side: 'response', operation: 'setPlant', body: invalid, isValid: false },
  ],
  typeCheck: [
    { check: 'the type of a valid body', isBasic: true, schema: 'Plant', literal: valid, isValid: true },
    ...(keyword.isTyped
      ? [{ check: `the type of ${mistake}`, schema: 'Plant', literal: invalid, isValid: false }]
      : []),
  ],
  call: [
    {
      check: 'a call with a valid body',
      isBasic: true,
      operation: 'setPlant',
      arguments: { body: valid },
      request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(valid) },
      response: { body: JSON.stringify(valid) },
      value: valid,
    },
  ],
  lint: [{ check: 'a keyword with a wrong value', level: 'schema', pointer: keyword.pointer, value: keyword.wrong }],
  resolve: [{ check: 'the value of the keyword', pointer: `${schema}${keyword.place}`, value: keyword.value }],
  sample: [{ check: 'a sample', schema: 'Plant' }],
  test: {
    right: ({ body }) => (isRight(body, follows) ? Response.json(valid) : refused()),
    broken: [
      {
        check: `a server that answers ${mistake}`,
        server: ({ body }) => (isRight(body, follows) ? Response.json(invalid) : refused()),
      },
    ],
  },
});

const isRight = (body: string, follows: Keyword['follows']): boolean => {
  const members = membersOf(body);
  return members !== undefined && follows(members);
};

export const isInteger = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value);
export const isText = (value: unknown): boolean => typeof value === 'string';
/** A member that may be missing. */
export const isMaybe = (value: unknown, is: (value: unknown) => boolean): boolean => value === undefined || is(value);
