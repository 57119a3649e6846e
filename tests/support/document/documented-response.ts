/**
 * The documented responses, with every message of an error, and the requests that produce them: each is built from the examples of the
 * operation.
 */

import { operations as served } from '../../../src/app/app.ts';
import { errors, type Failure } from '../../../src/base/app-error.ts';
import { failuresOf } from '../../../src/document/failures.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { failureToJson, statusOf } from '../../../src/http/response.ts';
import type { DemoRequest } from '../app/demo.ts';
import { filesByType } from '../pictures/pictures.ts';
import {
  type Described,
  examplesOf,
  limited,
  normal,
  type Parameter,
  type PlacedOperation,
  parametersOf,
} from './document.ts';

export interface DocumentedResponse {
  readonly operation: PlacedOperation;
  /** The media type of the request. Absent when it has no body. */
  readonly contentType?: string;
  readonly status: number;
  /**
   * The name of the example. Empty for a response without a body. The document shows the first message of each number; the name of another
   * one ends with a number.
   */
  readonly name: string;
  readonly example?: unknown;
}

/** Values to send in addition to the examples, or instead of them. */
export interface Circumstance {
  /** By the names of the parameters. One with several values is repeated. */
  readonly parameters?: Readonly<Record<string, string | readonly string[]>>;
  /** A query parameter that the operation does not have. */
  readonly unknown?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const responsesOf = (described: Described): DocumentedResponse[] =>
  described.operations.flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([code, response]) => {
      const status = Number(code);
      const examples =
        status < 400
          ? Object.values(described.resolve(response).content ?? {}).flatMap((content) =>
              Object.entries(content.examples ?? {}).map(([name, { value }]) => ({ name, example: value })),
            )
          : errorsOf(operation, status, described === limited);
      const named = examples.length > 0 ? examples : [{ name: '' }];
      const requests = Object.keys(operation.requestBody?.content ?? {}).map((contentType) => ({ contentType }));
      return (requests.length > 0 ? requests : [{}]).flatMap((request) =>
        named.map((one): DocumentedResponse => ({ operation, status, ...request, ...one })),
      );
    }),
  );

/** Every message of the operation with this status. The document shows one of each number. */
const errorsOf = ({ operationId }: PlacedOperation, status: number, isRateLimited: boolean) =>
  nameFailures(failuresWith(operationId, status, isRateLimited)).map(({ name, ...failure }) => ({
    name,
    example: failureToJson(failure),
  }));

/** The failures of an operation with this status, from its descriptor, by number. Throws if there is no such operation. */
export const failuresWith = (operationId: string, status: number, isRateLimited: boolean): Failure[] => {
  const operation = new Map<string, Operation>(Object.entries(served)).get(operationId);
  if (!operation) throw new Error(`There is no operation ${operationId}.`);
  return failuresOf(operation, isRateLimited)
    .filter(({ code }) => statusOf(code) === status)
    .sort((a, b) => errors[a.code].number - errors[b.code].number);
};

/** By the code, and with a number if an earlier one has the same code. */
const nameFailures = (group: readonly Failure[]) =>
  group.map((failure, index) => {
    const { code } = failure;
    const earlier = group.slice(0, index).filter((other) => other.code === code).length;
    return { ...failure, name: earlier === 0 ? code : `${code}_${earlier + 1}` };
  });

/** Whether the document has this example, under this name. */
export const isShown = ({ name }: DocumentedResponse): boolean => !/_\d$/.test(name);

export const documentedResponses = responsesOf(normal);

/** Those that only a service with a rate limit has. */
export const responsesBeyondLimit = responsesOf(limited).filter(({ status }) => status === 429);

/** The first example of each optional parameter, by the name of the parameter. */
export const optionalParametersOf = (operation: PlacedOperation): Readonly<Record<string, string>> =>
  firstExamples(parametersOf(operation).filter(({ required = false }) => !required));

/** The examples of this name, by the name of the parameter. */
export const parametersNamed = (operation: PlacedOperation, example: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parametersOf(operation).flatMap(({ name, examples = {} }) =>
      Object.hasOwn(examples, example) ? [[name, `${examples[example]?.value}`]] : [],
    ),
  );

/** The method, the path with its query, and the rest of the request: with the example of its required parameters, and the body of the same name. */
export const requestOf = (
  { operation, contentType, name }: DocumentedResponse,
  { parameters = {}, unknown, headers = {}, body }: Circumstance = {},
): [method: string, path: string, rest: DemoRequest] => {
  const all = parametersOf(operation);
  const values: NonNullable<Circumstance['parameters']> = {
    ...firstExamples(all.filter(({ required = false }) => required)),
    ...parameters,
  };
  const given = all.flatMap((one) =>
    [values[one.name] ?? []].flat().map((value) => ({ place: one.in, name: one.name, value })),
  );
  const pairsIn = (place: string) =>
    given.filter((one) => one.place === place).map((one): [string, string] => [one.name, one.value]);
  const path = pairsIn('path').reduce(
    (template, [key, value]) => template.replace(`{${key}}`, encodeURIComponent(value)),
    operation.path,
  );
  const query = new URLSearchParams(pairsIn('query'));
  if (unknown !== undefined) query.append(unknown, 'x');
  const file = contentType === undefined ? undefined : filesByType[contentType];
  const ofBody = contentType === undefined ? {} : { 'content-type': file?.contentType ?? contentType };
  return [
    operation.method.toUpperCase(),
    query.size > 0 ? `${path}?${query}` : path,
    {
      headers: { ...ofBody, ...Object.fromEntries(pairsIn('header')), ...headers },
      ...(contentType !== undefined && { body: body ?? file?.body ?? exampleBody(operation, contentType, name) }),
    },
  ];
};

/** The example of this name, or the first one. */
const exampleBody = ({ requestBody }: PlacedOperation, contentType: string, name: string): string => {
  const examples = requestBody?.content[contentType]?.examples ?? {};
  const value = (examples[name] ?? Object.values(examples)[0])?.value;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const firstExamples = (parameters: readonly Parameter[]): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap((one) => {
      const [first] = examplesOf(one);
      return first === undefined ? [] : [[one.name, first]];
    }),
  );
