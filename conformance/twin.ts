/**
 * The document as OpenAPI 3.0.3, for tools that lag. A converter does most of it; what it leaves is done here, before it. Run
 * by itself, this renews `openapi-3.0.json`, which the service serves.
 */
import { join } from 'node:path';
import { Converter } from '@apiture/openapi-down-convert';
import { operations } from '../src/http/app.ts';
import { createDocument } from '../src/http/document/document.ts';

export const twinPath = join(import.meta.dir, '../openapi-3.0.json');

export const createTwin = (): string => {
  const document = JSON.parse(JSON.stringify(createDocument(operations)), removeRoles);
  delete document.jsonSchemaDialect;
  const { info, components, paths } = document;
  info.description = `${info.summary}\n\n${info.description}\n\n${note}`;
  info.license.url = `https://spdx.org/licenses/${info.license.identifier}.html`;
  delete info.summary;
  for (const { callbacks = {} } of Object.values<Operations>(paths).flatMap((item) => Object.values(item))) {
    for (const callback of Object.values(callbacks)) {
      for (const [url, { $ref }] of Object.entries(callback)) callback[url] = pathItemAt($ref, components.pathItems);
    }
  }
  delete components.pathItems;
  // What stands beside a reference goes into an `allOf` with it.
  const twin = new Converter(document, { allOfTransform: true }).convert();
  return `${JSON.stringify(twin, null, 2)}\n`;
};

const note =
  'This is the OpenAPI 3.0.3 twin of `/openapi.json`, which says more: what is sent to webhooks, and which answers that are put together have no further members.';

type Operations = Record<string, { callbacks?: Record<string, Record<string, { $ref: string }>> }>;

const pathItemAt = ($ref: string, pathItems: Record<string, { $ref: string }>): { $ref: string } => {
  const item = pathItems[$ref.replace('#/components/pathItems/', '')];
  if (!item) throw new Error(`There is no ${$ref}.`);
  return item;
};

/** 3.0 allows roles for OAuth alone, so they move to the description of their operation. */
const removeRoles = (_key: string, value: unknown): unknown => {
  if (!isGuarded(value)) return value;
  const roles = value.security.flatMap(({ bearerAuth = [] }) => bearerAuth);
  if (roles.length === 0) return value;
  const needs = `Needs a token with the scope ${roles.map((role) => `\`${role}\``).join(', ')}.`;
  return { ...value, description: `${value.description} ${needs}`, security: [{ bearerAuth: [] }] };
};

interface Guarded {
  readonly description: string;
  readonly security: { readonly bearerAuth?: string[] }[];
}

const isGuarded = (value: unknown): value is Guarded =>
  typeof value === 'object' && value !== null && 'operationId' in value && 'security' in value;

if (import.meta.main) await Bun.write(twinPath, createTwin());
