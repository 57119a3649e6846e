import { type Answer, methodOf, type Operation, type Operations, pathOf, type RequestBody } from '../operation.ts';
import { failureResponses, failuresOf } from './failures.ts';
import { contentOf, headersOf, mapValues, ofRateLimit, parametersOf } from './parts.ts';

/** The operations by path and method. Those of one path have the same path parameters. */
export const pathsOf = (operations: Operations): Readonly<Record<string, object>> => {
  const byPath = Map.groupBy(Object.entries(operations), ([, operation]) => pathOf(operation));
  return Object.fromEntries([...byPath].map(([path, named]) => [path, describePath(named)]));
};

const describePath = (named: readonly [operationId: string, operation: Operation][]) => {
  const [inPath] = named.flatMap(([, { parameters }]) => parameters?.path ?? []);
  return {
    ...(inPath && { parameters: parametersOf('path', inPath) }),
    ...Object.fromEntries(named.map(([id, operation]) => [methodOf(operation).toLowerCase(), describe(id, operation)])),
  };
};

const describe = (operationId: string, operation: Operation) => {
  const { summary, externalDocs, description, scope, body, callbacks } = operation;
  const { query, headers } = operation.parameters ?? {};
  const parameters = [
    ...(query ? parametersOf('query', query) : []),
    ...(headers ? parametersOf('header', headers) : []),
  ];
  return {
    operationId,
    tags: [pathOf(operation).split('/')[1]],
    summary,
    ...(externalDocs && { externalDocs }),
    description,
    ...(scope && { security: [{ bearerAuth: [scope] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: describeBody(body) }),
    responses: {
      ...mapValues(operation.answers, describeAnswer),
      ...failureResponses(failuresOf(operation), operation.badRequest),
    },
    ...(callbacks && { callbacks }),
  };
};

const describeBody = ({ description, mediaTypes, schema, examples }: RequestBody) => ({
  description,
  required: true,
  content: contentOf(schema, examples, mediaTypes),
});

const describeAnswer = ({ description, headers, schema, mediaType, examples, alternative, links }: Answer) => ({
  description,
  headers: headersOf([...Object.keys(headers ?? {}), ...ofRateLimit]),
  ...(schema && {
    content: {
      ...contentOf(schema, examples, mediaType === undefined ? undefined : [mediaType]),
      ...(alternative && contentOf(alternative.schema, alternative.examples, [alternative.mediaType])),
    },
  }),
  ...(links && {
    links: Object.fromEntries(
      Object.entries(links.operations).map(([operationId, description]) => [
        operationId,
        { operationId, description, parameters: { [links.parameter]: links.expression } },
      ]),
    ),
  }),
});
