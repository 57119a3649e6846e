/**
 * openapi/lesson.yaml: the lesson, in blocks of at most 80 columns, in which only small objects are on one line, and a comment before a feature
 * names its lesson.
 */
import { type Document, isCollection, isMap, isPair, isScalar, type Node, parseDocument, stringify, visit } from 'yaml';
import { operations } from '../../src/app/app.ts';
import { namesIn } from '../../src/base/json-pointer.ts';
import { createDocument } from '../../src/document/document.ts';
import { toYaml } from '../../src/document/yaml.ts';
import { toLesson } from './lesson-document.ts';
import { lessons } from './lessons.ts';

export const renderLesson = (): string => {
  const yaml = parseDocument(toYaml(toLesson(createDocument(operations))));
  const commented = lessons.flatMap(({ file, topic, places }, index) => {
    const comment = ` Lesson ${index + 1}: ${topic} — docs/learn/${file}`;
    return places.flatMap((place) => addComment(yaml, place, comment));
  });
  visit(yaml, {
    Collection: (_key, node, ancestors) => {
      node.flow = !commented.includes(node) && isSmall(node.toJSON()) && fits(node, ancestors);
      return node.flow ? visit.SKIP : undefined;
    },
    Scalar: (key, node, ancestors) => {
      if (key !== 'value' || typeof node.value !== 'string') return;
      if (!fits(node, ancestors)) node.type = 'BLOCK_FOLDED';
      else if (node.type === 'BLOCK_FOLDED') node.type = 'PLAIN';
    },
  });
  return yaml.toString({ lineWidth: columnsMax, singleQuote: true, flowCollectionPadding: false });
};

/** Adds the comment before the member at this place, and returns the objects that contain it. Throws if there is none. */
const addComment = (yaml: Document, place: string, comment: string): unknown[] => {
  const path = namesIn(place);
  const parents = path.map((_, length) => yaml.getIn(path.slice(0, length), true));
  const parent = parents.at(-1);
  const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
  if (!pair || !isScalar(pair.key)) throw new Error(`The lesson has nothing at ${place}.`);
  pair.key.commentBefore = comment;
  return parents;
};

const columnsMax = 80;

/** An object may have this many members on one line. */
const membersMax = 3;

/** Whether it is a list without objects, or a small object without others in it. */
const isSmall = (value: unknown): boolean => {
  if (!isObject(value) || Object.values(value).some(isObject)) return false;
  return Array.isArray(value) || Object.keys(value).length <= membersMax;
};

const oneLine = { collectionStyle: 'flow', lineWidth: 0, singleQuote: true, flowCollectionPadding: false } as const;

/** Whether it can be on one line, behind the name of its member. */
const fits = (node: Node, ancestors: readonly unknown[]): boolean => {
  const outside = ancestors.filter(isCollection).length;
  const parent = ancestors.at(-1);
  const name = isPair(parent) && isScalar(parent.key) ? `${parent.key.value}: ` : '- ';
  return 2 * (outside - 1) + name.length + stringify(node.toJSON(), oneLine).trimEnd().length <= columnsMax;
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
