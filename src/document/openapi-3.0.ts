/** The document as OpenAPI 3.0.3, for tools that do not support 3.1. It covers the keywords that the document uses. */
import { formType } from '../pictures/form.ts';
import { pictureTypes } from '../plants/plant.ts';
import { MessageHeaders } from '../webhooks/message-headers.ts';
import { checkReferences } from './components.ts';
import type { Document } from './document.ts';
import { eventMessage } from './messages.ts';
import { mapValues } from './parts.ts';

export const toOpenApi30 = (document: Document): object => {
  const { summary, ...info } = document.info;
  const description = `${summary}\n\n${info.description}\n\n${note}`;
  return checkReferences(convertMembers({ ...document, info: { ...info, description } }));
};

const note =
  'This is the OpenAPI 3.0.3 version of `/openapi.json`. It leaves out `webhooks`, `unevaluatedProperties`, the media types `application/merge-patch+json` and `text/csv`, and pictures that are not sent in a form.';

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !JSON.isRawJSON(value);

const convert = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(convert);
  return isMembers(value) ? convertMembers(value) : value;
};

const convertMembers = (members: Members): Members => {
  const converted = Object.entries(members).map(
    ([keyword, value]) => rewrites[keyword]?.(value, members) ?? { [keyword]: convert(value) },
  );
  return Object.assign({}, ...converted);
};

/** Returns what replaces a member, from its value and the other members of its object; undefined if the keyword does not change in 3.0. */
type Rewrite = (value: unknown, members: Members) => Members | undefined;

const leaveOut: Rewrite = () => ({});

const rewrites: Readonly<Record<string, Rewrite>> = {
  openapi: () => ({ openapi: '3.0.3' }),
  jsonSchemaDialect: leaveOut,
  webhooks: leaveOut,
  pathItems: leaveOut,
  unevaluatedProperties: leaveOut,
  // Only webhooks refer to these parameters.
  ...mapValues(MessageHeaders.properties, () => leaveOut),
  identifier: (license) => ({ url: `https://spdx.org/licenses/${license}.html` }),
  // A file is a text there, whose format tells it from others.
  contentMediaType: (_, { contentEncoding }) =>
    contentEncoding === undefined ? { type: 'string', format: 'binary' } : { format: 'byte' },
  contentEncoding: leaveOut,
  PictureForm: (form) => ({ PictureForm: isMembers(form) ? withFile(convertMembers(form)) : form }),
  const: (value) => ({ enum: [value] }),
  // Named values become a plain enum, and the description lists the names.
  oneOf: (branches) => (isConstants(branches) ? { enum: branches.map(({ const: value }) => value) } : undefined),
  // Generators expect one media type for a body. Progenitor supports only `application/json`.
  'text/csv': (_, content) => ('application/x-ndjson' in content ? {} : undefined),
  ...Object.fromEntries(
    pictureTypes.map((type): [string, Rewrite] => [type, (_, content) => (formType in content ? {} : undefined)]),
  ),
  'application/merge-patch+json': (_, content) => ('application/json' in content ? {} : undefined),
  type: (types) => (Array.isArray(types) ? { type: types.find((type) => type !== 'null'), nullable: true } : undefined),
  // Schemas have a list of examples. All other objects have named examples, whose values are data without keywords.
  examples: (examples) => (Array.isArray(examples) ? { example: examples[0] } : { examples }),
  // The keys are names, not keywords.
  properties: (properties) => (isMembers(properties) ? { properties: mapValues(properties, convert) } : undefined),
  // 3.0 ignores the siblings of a reference. A schema can have them next to an `allOf`, a parameter cannot.
  $ref: ($ref, members) => {
    if ($ref === '#/components/pathItems/Event') return convertMembers(eventMessage);
    return Object.keys(members).length > 1 && !isParameter($ref) ? { allOf: [{ $ref }] } : { $ref };
  },
  // In 3.0 only OAuth has scopes, so the description of the operation lists them.
  security: (security) => ({ security: requirementsOf(security).map((schemes) => mapValues(schemes, () => [])) }),
  description: (description, { $ref, security, oneOf }) => {
    if (isParameter($ref)) return {};
    if (isConstants(oneOf)) return { description: [`${description}\n`, ...oneOf.map(toListItem)].join('\n') };
    const scopes = requirementsOf(security).flatMap((schemes) => Object.values(schemes).flat());
    const needs = `Requires a token with the scope ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
    return { description: scopes.length > 0 ? `${description} ${needs}` : description };
  },
};

/** The part of the form that is a file has no type in 3.1. */
const withFile = (form: Members): Members => ({
  ...form,
  properties: mapValues(form['properties'] as Members, (part) => ({
    ...(part as Members),
    type: 'string',
    format: 'binary',
  })),
});

const isParameter = ($ref: unknown): boolean => `${$ref}`.startsWith('#/components/parameters/');

const isConstants = (branches: unknown): branches is Members[] =>
  Array.isArray(branches) && branches.every((branch) => isMembers(branch) && 'const' in branch);

const toListItem = ({ const: value, title, description }: Members): string =>
  `- ${value}, \`${title}\`: ${description}`;

const requirementsOf = (security: unknown): Members[] => (Array.isArray(security) ? security : []);
