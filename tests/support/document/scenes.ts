/**
 * The request for each documented response, on a store with the sample data. Most follow from the document: the examples of the
 * operation lead to success, and the name of the example of an error says what to send instead. A new operation needs an entry only
 * for a success that its first examples do not lead to. A new error needs one.
 */

import { bodyBytesMax, importBytesMax, importRowsMax, pictureBytesMax } from '../../../src/base/app-error.ts';
import { testMessagesPendingMax } from '../../../src/deliveries/delivery.ts';
import { eventIdOf } from '../../../src/events/event.ts';
import { sequoiaCreated } from '../../../src/events/sample.ts';
import { streamsMax } from '../../../src/events/streams.ts';
import { pictureSideMax } from '../../../src/pictures/file.ts';
import { demoToken, reader, readerToken } from '../../../src/tokens/sample.ts';
import { webhooksMax } from '../../../src/webhooks/webhook.ts';
import { type FormPart, formOf, partOf, pngOfBytes, pngOfSize, readBytes } from '../pictures/pictures.ts';
import { asStream } from '../streams/event-stream.ts';
import { operations, type PlacedOperation, parametersOf } from './document.ts';
import {
  type Circumstance,
  type DocumentedResponse,
  documentedResponses,
  parametersNamed,
  requestOf,
} from './documented-response.ts';

export interface Scene extends Circumstance {
  /** The number of times that the request is sent, 1 by default. The last response is the documented one. */
  readonly times?: number;
}

/** The example of `after`. */
const beforeFern = eventIdOf(sequoiaCreated);

const withToken = (token: string): Scene => ({ headers: { authorization: `Bearer ${token}` } });

/** Values that lead to a successful response, if the examples of the request do not. */
const successes: Readonly<Record<string, Scene>> = {
  'listPlants 200 some': { parameters: { limit: '3' } },
  'listPlants 200 none': { parameters: { tag: 'none' } },
  'listEvents 200 later': { parameters: { after: beforeFern } },
  'listEvents 200 live': { parameters: { after: beforeFern }, headers: asStream },
  'getToken 200 reader': withToken(readerToken),
  'exportPlants 200 csv': { headers: { accept: 'text/csv' } },
  'getPicture 200 monstera': { headers: { accept: 'application/json' } },
  'getPicture 206 ': { parameters: { Range: 'bytes=0-' } },
  'putPicture 201 ': { parameters: { id: '2' } },
  'importPlants 200 rejected': { parameters: { partial: 'true' } },
};

/** A file whose row on line 2 is this plant. */
const fileOf = ({ contentType }: DocumentedResponse, plant: Readonly<Record<string, string | number>>): Scene => ({
  body:
    contentType === 'text/csv'
      ? `${Object.keys(plant)}\n${Object.values(plant)}\n`
      : `\n${JSON.stringify(plant, (_, value) => value || undefined)}\n`,
});

/** Errors of files. */
const ofFile: Readonly<Record<string, Scene | ((documented: DocumentedResponse) => Scene)>> = {
  malformed_body: { body: '' },
  invalid_body: (documented) => fileOf(documented, { id: 5, name: '' }),
  id_taken: (documented) => fileOf(documented, { id: 1, name: 'other' }),
  body_too_large: { body: 'x'.repeat(importBytesMax + 1) },
  body_too_large_2: { body: `id,name\n${'{}\n'.repeat(importRowsMax + 1)}` },
};

const form = (...parts: readonly FormPart[]): Scene => {
  const { contentType, body } = formOf(...parts);
  return { headers: { 'content-type': contentType }, body };
};

const leaf = readBytes('leaf.png');
const raw = (body: Uint8Array<ArrayBuffer>): Scene => ({ headers: { 'content-type': 'image/png' }, body });
const picturePart: FormPart = [partOf('image/png'), leaf];

/** Errors of pictures. The second plant has none. */
const ofPicture: Readonly<Record<string, Scene>> = {
  malformed_body: raw(leaf.subarray(0, -1)),
  malformed_body_2: raw(Buffer.concat([leaf, leaf])),
  malformed_body_3: raw(Buffer.alloc(0)),
  malformed_body_4: { ...form(picturePart), body: 'x' },
  invalid_body: raw(pngOfSize(pictureSideMax + 1, 1)),
  invalid_body_2: form(),
  invalid_body_3: form(picturePart, picturePart),
  not_found_2: { parameters: { id: '2', 'If-Match': '*' } },
  precondition_failed_2: { parameters: { 'If-None-Match': '*' } },
  body_too_large: raw(pngOfBytes(pictureBytesMax + 1)),
  unsupported_media_type_2: { ...raw(leaf), headers: { 'content-type': 'image/webp' } },
  unsupported_media_type_3: form([partOf('text/plain'), leaf]),
  unsupported_media_type_4: { headers: { 'content-type': 'multipart/form-data' } },
  range_not_satisfiable: { parameters: { Range: 'bytes=1000000-' } },
};

/** The path of the operation with an invalid parameter at this position. */
const withPathParameter =
  (position: number, value: string) =>
  (operation: PlacedOperation): Scene => {
    const name = parametersOf(operation).filter((parameter) => parameter.in === 'path')[position]?.name;
    return name === undefined ? {} : { parameters: { [name]: value } };
  };

/** Values that lead to an error, by the name of its example. */
const rejections: Readonly<Record<string, Scene | ((operation: PlacedOperation) => Scene)>> = {
  malformed_body: { body: '{' },
  body_too_large: { body: `"${'x'.repeat(bodyBytesMax)}"` },
  unsupported_media_type: { headers: { 'content-type': 'text/plain' } },
  invalid_path_id: withPathParameter(0, 'x'),
  invalid_cursor: { parameters: { after: 'x' } },
  token_missing: { headers: { authorization: '' } },
  token_invalid: withToken('x'),
  token_invalid_2: { headers: { authorization: demoToken } },
  scope_missing: withToken(readerToken),
  not_found: withPathParameter(0, '9'),
  not_found_2: withPathParameter(1, '9'),
  id_taken: { body: '{"id":1,"name":"other"}' },
  precondition_failed: { parameters: { 'If-Match': '"x"' } },
  too_many_webhooks: { times: webhooksMax },
  too_many_tests: { times: testMessagesPendingMax + 1 },
  unavailable_2: { headers: asStream, times: streamsMax + 1 },
  rate_limited: { times: 2 },
  rate_limited_2: { ...withToken('x'), times: 2 },
};

/** The responses that no request gets from an intact store with the sample data, by the reason. */
export const unreachable: Readonly<Record<string, (documented: DocumentedResponse) => boolean>> = {
  'the service or its store must fail': ({ name }) => ['defect', 'unavailable', 'outcome_unknown'].includes(name),
  'both tokens have the scope': ({ operation: { security = [] }, name }) =>
    name === 'scope_missing' && security.some(({ bearerAuth = [] }) => bearerAuth.every(isScopeOfReader)),
  'imports, exports or uploads must be in progress': (documented) => isUnderLoad(documented),
  'the demo removes no events': ({ name }) => name === 'cursor_expired',
  'the receiver of the sample webhook does not exist, so the tests of its webhook never finish': ({
    operation,
    name,
  }) => operation.operationId === 'redeliver' && name === 'too_many_tests',
};

const isUnderLoad = ({ operation, name }: DocumentedResponse): boolean =>
  ['importPlants', 'exportPlants', 'putPicture'].includes(operation.operationId) && name === 'unavailable_2';

const isScopeOfReader = (scope: string): boolean => reader.scopes.some((known) => known === scope);

export const keyOf = ({ operation, status, name }: DocumentedResponse): string =>
  `${operation.operationId} ${status} ${name}`;

export const isReachable = (documented: DocumentedResponse): boolean =>
  !Object.values(unreachable).some((isReason) => isReason(documented));

/** The request for the response. Absent if nothing here leads to it. */
export const sceneOf = (documented: DocumentedResponse): Scene | undefined => {
  const { operation, status, name, example } = documented;
  if (status === 304) return { parameters: parametersNamed(operation, 'current') };
  if (status < 400) return successes[keyOf(documented)] ?? {};
  const file = operation.operationId === 'importPlants' ? ofFile[name] : undefined;
  if (isUnderLoad(documented)) return {};
  const picture = operation.path.endsWith('/picture') ? ofPicture[name] : undefined;
  if (picture) return picture;
  if (file) return typeof file === 'function' ? file(documented) : file;
  const message = JSON.stringify(example);
  if (name === 'invalid_body') return { body: invalidBody(documented, message) };
  const [, unknown] = /"The query parameter (\S+) does not exist/.exec(message) ?? [];
  if (unknown !== undefined) return { unknown };
  const [, parameter] = /"The (?:query parameter|header) (\S+) must /.exec(message) ?? [];
  if (name.startsWith('invalid_query') && parameter !== undefined) return { parameters: { [parameter]: 'x' } };
  const rejection = rejections[name];
  return typeof rejection === 'function' ? rejection(operation) : rejection;
};

/** The example of the request, in which the member that the message names is missing or invalid: a short text, or a number for a text. */
const invalidBody = (documented: DocumentedResponse, message: string): string => {
  const [, , { body }] = requestOf(documented);
  const [, member = ''] = /"\/(\w+) /.exec(message) ?? [];
  const wrong = /must be (?:null or )?a string/.test(message) ? 5 : 'x';
  const value = message.includes(' is required and ') ? undefined : wrong;
  return JSON.stringify({ ...JSON.parse(`${body}`), [member]: value });
};

/** The first request that succeeds, of each operation. Those that delete come last. */
export const firstSuccesses: readonly DocumentedResponse[] = operations
  .flatMap((operation) => documentedResponses.find((documented) => documented.operation === operation) ?? [])
  .toSorted((a, b) => Number(a.operation.method === 'delete') - Number(b.operation.method === 'delete'));
