/** What the lesson leaves out of each part of the document, by the name of the member. */
import { mapValues } from '../../src/document/parts.ts';
import { plantMembers } from '../../src/plants/schemas.ts';

const headersOfUse = ['Link', 'Location'];

/** By the schema of the body. */
const examplesOfUse: Readonly<Record<string, readonly string[]>> = {
  NewPlant: ['tagged', 'untagged'],
  Plant: ['tagged', 'untagged'],
  PlantPatch: ['removeTag'],
  NewWebhook: ['everything'],
  PlantCreated: ['created'],
};

export type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

export const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});

export const pick = (value: unknown, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(membersOf(value)).filter(([name]) => names.includes(name)));

export const mapNames = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
): Readonly<Record<string, Result>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));

/** The same part of a document, as the lesson has it. */
export const shorten = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shorten);
  if (!isMembers(value)) return value;
  const shortened = Object.entries(value).map(([name, member]) => {
    const rewritten = rewrites[name]?.(member, value);
    return rewritten ?? { [name]: shorten(member) };
  });
  return Object.assign({}, ...shortened);
};

/** The keys are names, and not members that have a rule. */
export const shortenEach = (named: unknown): Members => mapValues(membersOf(named), shorten);

/** Returns what replaces a member; undefined if it does not change. */
type Rewrite = (value: unknown, members: Members) => Members | undefined;

const leaveOut: Rewrite = () => ({});

/** Nothing instead of an empty object. */
export const ifAny = (name: string, members: Members): Members =>
  Object.keys(members).length > 0 ? { [name]: members } : {};

/** Descriptions of members that say no more than their names. */
const obvious: ReadonlySet<string | undefined> = new Set([
  plantMembers.id.description,
  'The name of the plant',
  'Tag that specifies the type of the plant',
  'Time of the event',
  'Time of creation',
  'Time of the last change',
  'Error message text',
  'Key of the signatures.',
  'Identifier of the webhook',
]);

const rewrites: Readonly<Record<string, Rewrite>> = {
  externalDocs: leaveOut,
  links: leaveOut,
  pattern: leaveOut,
  required: (value) => (value === false ? {} : undefined),
  additionalProperties: (value) => (value === false ? undefined : {}),
  // The summary of an operation is enough.
  description: (text, { operationId }) =>
    operationId !== undefined || obvious.has(`${text}`) ? {} : { description: firstSentenceOf(`${text}`) },
  parameters: (list) => {
    if (!Array.isArray(list)) return undefined;
    const kept = list
      .filter(isOfUse)
      .map((parameter) => shorten(isOfMessage(parameter) ? refer(parameter) : parameter));
    return kept.length > 0 ? { parameters: kept } : {};
  },
  properties: (properties) => ({ properties: shortenEach(properties) }),
  headers: (headers) => ifAny('headers', shortenEach(pick(headers, headersOfUse))),
  requestBody: (body) => {
    const { description: _, ...others } = membersOf(body);
    return { requestBody: shorten(others) };
  },
  // Those of a schema are a list, and those of a parameter have no body.
  examples: (examples, { schema }) =>
    ifAny('examples', pick(examples, examplesOfUse[nameIn(membersOf(schema)['$ref'])] ?? [])),
  content: (content) => {
    const { 'application/json': json, ...others } = membersOf(content);
    const only = Object.keys(others).length > 0 ? others : { 'application/json': json };
    return { content: shortenEach(only) };
  },
  responses: (responses, { operationId }) =>
    operationId === undefined ? undefined : { responses: shortenResponses(membersOf(responses)) },
};

/** Of a sentence that is longer than a line, only what is before its colon. */
const firstSentenceOf = (text: string): string => {
  const [sentence = text] = /^[\s\S]*?\.(?=\s+[A-Z`]|$)/.exec(text) ?? [];
  const [beginning = ''] = sentence.split(': ');
  return sentence.length > columnsMax && beginning !== sentence ? `${beginning}.` : sentence;
};

const columnsMax = 90;

/** The last name in a pointer. */
const nameIn = (pointer: unknown): string => `${pointer}`.split('/').at(-1) ?? '';

/** The parameters of messages are shared, also where the whole document repeats them. */
const isOfMessage = (parameter: unknown): boolean => `${membersOf(parameter)['name']}`.startsWith('webhook-');
const refer = (parameter: unknown) => ({ $ref: `#/components/parameters/${membersOf(parameter)['name']}` });

/** A receiver may ignore optional headers, and a client need not send them. A list has more orders and filters. */
const isOfUse = (parameter: unknown): boolean => {
  const { $ref, in: location, name, required } = membersOf(parameter);
  if (/If-Match|traceparent|count/.test(`${$ref}`) || ['sort', 'name', 'tag'].includes(`${name}`)) return false;
  return location !== 'header' || required === true;
};

/** The responses to a valid request, and one for all errors. A receiver may also disable its webhook, and respond anything else. */
const shortenResponses = (responses: Members): Members => {
  const isKept = ([status, response]: [string, unknown]): boolean =>
    /^2|^default$/.test(status) || nameIn(membersOf(response)['$ref']) === 'WebhookDisabled';
  const kept = Object.entries(responses)
    .filter(isKept)
    .map(([status]) => status);
  const errors = { $ref: '#/components/responses/Error' };
  return {
    ...shortenEach(pick(responses, kept)),
    ...(!kept.includes('default') && { '4XX': errors, '5XX': errors }),
  };
};
