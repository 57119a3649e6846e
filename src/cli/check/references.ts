/**
 * What the official schemas do not check: that each `$ref`, mapping, link and requirement of a document leads to a part that exists and is of the
 * right kind, and that an operationId is unique.
 */
import { isObject } from '../../base/json.ts';
import { type Members, memberOf, pointerIn, pointerOf, valueAt } from '../../base/json-pointer.ts';
import { follow } from './follow.ts';
import { kindAt } from './kinds.ts';
import { isText, type Node, nodesIn } from './nodes.ts';

export interface Finding {
  readonly pointer: string;
  /** A sentence. */
  readonly text: string;
}

export interface References {
  readonly broken: readonly Finding[];
  /** Those to other documents, which are not read. */
  readonly elsewhere: readonly Finding[];
}

export const checkReferences = (document: Members): References => {
  const nodes = [...nodesIn(document)];
  const names = namesOf(nodes);
  const operations = operationsIn(nodes);
  const findings = nodes.flatMap(({ node, pointer, base }) => [
    ...checkReference(document, node, { pointer, base }, names),
    ...checkMapping(document, node, pointer, names),
    ...checkLink(document, node, pointer, operations),
    ...checkSecurity(document, node, pointer),
  ]);
  return {
    broken: [...findings.filter(({ isElsewhere }) => !isElsewhere), ...findTwice(operations)],
    elsewhere: findings.filter(({ isElsewhere }) => isElsewhere),
  };
};

interface Found extends Finding {
  readonly isElsewhere?: boolean;
}

/** The anchors and identifiers of schemas. */
const namesOf = (nodes: readonly Node[]): ReadonlySet<string> =>
  new Set(
    nodes.flatMap(({ node: { $anchor, $dynamicAnchor, $id, $self } }) => [
      ...[$anchor, $dynamicAnchor].filter(isText).map((name) => `#${name}`),
      ...[$id, $self].filter(isText),
    ]),
  );

const checkReference = (document: Members, node: Members, place: Place, names: ReadonlySet<string>): Found[] =>
  ['$ref', '$dynamicRef'].flatMap((keyword) => {
    const reference = node[keyword];
    const { pointer, base } = place;
    if (!isText(reference)) return [];
    return checkTarget(document, reference, { pointer: `${pointer}/${keyword}`, base, kind: kindAt(pointer) }, names);
  });

type Place = Pick<Node, 'pointer' | 'base'>;

/** A reference, and the object to which it must lead, if that is known. */
interface Reference extends Place {
  readonly kind: string | undefined;
}

const checkTarget = (
  document: Members,
  reference: string,
  { pointer, base, kind }: Reference,
  names: ReadonlySet<string>,
): Found[] => {
  const [file = ''] = reference.split('#');
  if (names.has(reference) || (file !== '' && names.has(file))) return [];
  if (file !== '')
    return [{ pointer, text: `\`${reference}\` is in another document, which is not checked.`, isElsewhere: true }];
  const inSchema = pointerIn(reference);
  const target = inSchema === undefined ? undefined : base + inSchema;
  if (target === undefined || valueAt(document, target) === undefined)
    return [{ pointer, text: `\`${reference}\` leads nowhere.${nearestTo(document, target)}` }];
  if (follow(document, target) === undefined) return [{ pointer, text: `\`${reference}\` leads back to itself.` }];
  const found = kindAt(target);
  if (kind === undefined || found === undefined || found === kind) return [];
  return [{ pointer, text: `\`${reference}\` leads to ${withArticle(found)}, and must lead to ${withArticle(kind)}.` }];
};

const withArticle = (kind: string): string => `${/^[EIO]/.test(kind) ? 'an' : 'a'} ${kind}`;

/** The names beside the missing one, if they are few. */
const nearestTo = (document: Members, target: string | undefined): string => {
  const parent = target === undefined ? undefined : valueAt(document, target.slice(0, target.lastIndexOf('/')));
  const names = isObject(parent) ? Object.keys(parent) : [];
  return names.length > 0 && names.length <= namesMax ? ` There are ${names.join(', ')}.` : '';
};

const namesMax = 20;

const checkMapping = (document: Members, node: Members, pointer: string, names: ReadonlySet<string>): Found[] => {
  const { discriminator } = node;
  if (!isObject(discriminator) || !isObject(discriminator['mapping'])) return [];
  return Object.entries(discriminator['mapping']).flatMap(([name, target]) => {
    if (!isText(target) || valueAt(document, `/components/schemas${pointerOf([target])}`) !== undefined) return [];
    const at = `${pointer}/discriminator/mapping${pointerOf([name])}`;
    if (/[/#.]/.test(target))
      return checkTarget(document, target, { pointer: at, base: '', kind: 'Schema Object' }, names);
    return [{ pointer: at, text: `The mapping leads to the schema ${target}, which does not exist.` }];
  });
};

interface Operation extends Node {
  readonly operationId: string;
}

const operationsIn = (nodes: readonly Node[]): Operation[] =>
  nodes.flatMap((one) => {
    const { operationId } = one.node;
    return isText(operationId) && /^\/(?:paths|webhooks|components)\b/.test(one.pointer) && !isLink(one.pointer)
      ? [{ ...one, operationId }]
      : [];
  });

const isLink = (pointer: string): boolean => /\/links\/[^/]+$/.test(pointer);

const findTwice = (operations: readonly Operation[]): Finding[] =>
  operations
    .filter(({ operationId }, index) => operations.findIndex((other) => other.operationId === operationId) < index)
    .map(({ operationId, pointer }) => ({
      pointer: `${pointer}/operationId`,
      text: `Two operations have the operationId ${operationId}.`,
    }));

const checkLink = (document: Members, node: Members, pointer: string, operations: readonly Operation[]): Found[] => {
  if (!isLink(pointer)) return [];
  const { operationId, operationRef, parameters } = node;
  if (isText(operationRef))
    return checkTarget(
      document,
      operationRef,
      { pointer: `${pointer}/operationRef`, base: '', kind: 'Operation Object' },
      new Set(),
    );
  if (!isText(operationId)) return [];
  const target = operations.find((operation) => operation.operationId === operationId);
  if (target === undefined)
    return [{ pointer: `${pointer}/operationId`, text: `No operation has the operationId ${operationId}.` }];
  const known = parametersOf(document, target.pointer);
  return Object.keys(isObject(parameters) ? parameters : {})
    .filter((name) => !known.has(name.replace(/^(?:path|query|header|cookie|querystring)\./, '')))
    .map((name) => ({
      pointer: `${pointer}/parameters${pointerOf([name])}`,
      text: `The operation ${operationId} has no parameter ${name}.`,
    }));
};

/** Those of the operation, and those of its path. */
const parametersOf = (document: Members, pointer: string): ReadonlySet<unknown> => {
  const lists = [`${pointer}/parameters`, `${pointer.slice(0, pointer.lastIndexOf('/'))}/parameters`];
  return new Set(
    lists.flatMap((list) => {
      const items = valueAt(document, list);
      return Array.isArray(items)
        ? items.map((_, index) => memberOf(follow(document, `${list}/${index}`)?.value, 'name'))
        : [];
    }),
  );
};

const checkSecurity = (document: Members, { security }: Members, pointer: string): Found[] => {
  const schemes = valueAt(document, '/components/securitySchemes');
  return (Array.isArray(security) ? security : []).flatMap((requirement, index) =>
    Object.keys(isObject(requirement) ? requirement : {})
      // Since OpenAPI 3.2, the name may be a URI.
      .filter((name) => memberOf(schemes, name) === undefined && !/[/#.]/.test(name))
      .map((name) => ({
        pointer: `${pointer}/security/${index}${pointerOf([name])}`,
        text: `There is no security scheme ${name}.`,
      })),
  );
};
