/** A request for each example in the document, and the response that the document has for it. */
import { document, operations, type PlacedOperation, resolve } from '../tests/support/document/document.ts';

export interface ExampleRequest {
  readonly operationId: string;
  /** The name of the example of the body. */
  readonly example?: string;
  readonly method: string;
  readonly path: string;
  /** An array for a parameter that is one. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The headers that are parameters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType?: string;
  readonly body?: unknown;
  readonly response: { readonly status: number; readonly mediaType?: string; readonly body?: unknown };
}

/** A request for each example of a body, with the optional parameters or without them. */
export const exampleRequests = (isComplete: boolean): readonly ExampleRequest[] =>
  operations.flatMap((operation) => bodiesOf(operation).map((body) => toRequest(operation, body, isComplete)));

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
}

const toRequest = (operation: PlacedOperation, body: ExampleBody, isComplete: boolean): ExampleRequest => {
  const { operationId, method, path } = operation;
  const parameters = parametersOf(operation).filter(({ required }) => isComplete || required);
  const valuesIn = (place: Parameter['in']): Record<string, string> =>
    Object.fromEntries(parameters.filter((one) => one.in === place).map((one) => [one.name, exampleOf(one)]));
  return {
    operationId,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name) => valuesIn('path')[name] ?? ''),
    query: Object.fromEntries(parameters.filter((one) => one.in === 'query').map((one) => [one.name, queryOf(one)])),
    headers: valuesIn('header'),
    ...body,
    response: responseOf(operation, body.example),
  };
};

const parametersOf = ({ path, parameters = [] }: PlacedOperation): Parameter[] =>
  [...(document.paths[path].parameters ?? []), ...parameters].map((parameter) => resolve<Parameter>(parameter));

const exampleOf = (parameter: Parameter): string => `${firstExampleOf(parameter)}`;

const queryOf = (parameter: Parameter): string | string[] => {
  const value = firstExampleOf(parameter);
  return Array.isArray(value) ? value.map(String) : `${value}`;
};

const firstExampleOf = ({ name, examples }: Parameter): unknown => {
  const [example] = Object.values(examples);
  if (!example) throw new Error(`${name} has no example`);
  return example.value;
};

interface ExampleBody {
  readonly example?: string;
  readonly mediaType?: string;
  readonly body?: unknown;
}

const bodiesOf = ({ requestBody }: PlacedOperation): ExampleBody[] =>
  requestBody
    ? Object.entries(requestBody.content).flatMap(([mediaType, { examples = {} }]) =>
        Object.entries(examples).map(([example, { value }]) => ({ example, mediaType, body: value })),
      )
    : [{}];

/** The first successful response. */
const responseOf = ({ responses }: PlacedOperation, example?: string) => {
  const [status = '', response = { $ref: '' }] =
    Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [[mediaType, content] = []] = Object.entries(resolve(response).content ?? {});
  const [first] = Object.values(content?.examples ?? {});
  return {
    status: Number(status),
    ...(mediaType !== undefined && { mediaType, body: (content?.examples?.[example ?? ''] ?? first)?.value }),
  };
};
