/** The exercises of docs/learn/: the solution is right, an unedited copy is not, and no mistake that students make is. */
import { describe, expect, test } from 'bun:test';
import { withoutBlocks } from '../../docs/pages/lesson-page.ts';
import { lessons } from '../../docs/pages/lessons.ts';
import { stepsOf } from '../../docs/pages/session.ts';
import { checkLesson } from '../../src/cli/check/lesson.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import { applyEdit } from '../support/edit.ts';
import { read } from '../support/project/imports.ts';

const lesson = read('openapi/lesson.yaml');

/** The document with the edits of a solution. */
const solutionOf = (file: string): string =>
  stepsOf(withoutBlocks(read(`docs/learn/${file}`)), 2)
    .filter(({ kind }) => kind === 'edit')
    .reduce((text, { text: edit }) => applyEdit(text, edit), lesson);

/** What a student writes instead of lines of the solution. */
interface Mistake {
  readonly name: string;
  readonly instead: readonly (readonly [lines: string, wrong: string])[];
  /** A part of the answer. */
  readonly says: string;
}

const mistake = (name: string, says: string, ...instead: Mistake['instead']): Mistake => ({ name, instead, says });

/** By the file of the lesson. */
const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  '01-json-schema.md': [
    mistake('0 counts as negative', '✗ A plant with the id 0 needs no tag', ['exclusiveMaximum: 0', 'maximum: 0']),
    mistake('every plant needs a tag', '✗ A plant with the id 5 needs no tag', [
      '      if:\n        required: [id]\n        properties:\n          id: {exclusiveMaximum: 0}\n      then: {required: [tag]}\n',
      '      anyOf: [{required: [tag]}]\n',
    ]),
    mistake('then without if', '✗ A plant with the id -3 and no tag does not match', [
      '      if:\n        required: [id]\n        properties:\n          id: {exclusiveMaximum: 0}\n',
      '',
    ]),
  ],
  '02-null.md': [
    mistake('nullable', '✗ `null` matches wateredAt', [
      "type: [string, 'null'], format",
      'type: string, nullable: true, format',
    ]),
    mistake('null without quotes', 'has null without quotes', [
      "type: [string, 'null'], format",
      'type: [string, null], format',
    ]),
    mistake('no format', '✗ wateredAt has the format of a time', [
      ', format: date-time}\n    EventType',
      '}\n    EventType',
    ]),
    mistake('no type', '✗ A number does not match', ["type: [string, 'null'], format", 'format']),
  ],
  '03-constants.md': [
    mistake('a text', '✗ The error 40903 matches', ['const: 40903', "const: '40903'"]),
    mistake('another title', '✗ The title of 40903 is plant_is_sold', ['plant_is_sold', 'plant is sold']),
    mistake(
      'enum beside it',
      '✗ The error 40903 matches',
      ['            - {title: plant_is_sold, const: 40903}\n', ''],
      ['          oneOf:\n', '          enum: [40903]\n          oneOf:\n'],
    ),
  ],
  '04-examples.md': [
    mistake('no value', '✗ The document is not valid OpenAPI 3.1', [
      '                value: {id: 7, name: Cactus, tag: succulent}',
      '                {id: 7, name: Cactus, tag: succulent}',
    ]),
    mistake('the id as a text', '✗ The request has an example cactus', [
      '{id: 7, name: Cactus',
      "{id: '7', name: Cactus",
    ]),
    mistake('the request alone', '✗ The response has an example cactus', [
      '                cactus:\n                  value: {name: Cactus, tag: succulent}\n',
      '',
    ]),
    mistake('an id in the response', '✗ The response has no id', [
      'value: {name: Cactus',
      'value: {id: 7, name: Cactus',
    ]),
  ],
  '05-references.md': [
    mistake('no reference', '✗ The items still refer to EventType', [
      "{$ref: '#/components/schemas/EventType', const: plant.created}",
      '{type: string, const: plant.created}',
    ]),
    mistake(
      'the shared schema',
      '✗ EventType still has plant.deleted',
      ["'#/components/schemas/EventType', const: plant.created}", "'#/components/schemas/EventType'}"],
      [`enum:${plantEventTypes.map((type) => `\n        - ${type}`).join('')}\n`, 'enum: [plant.created]\n'],
    ),
    mistake('const beside items', '✗ A webhook for plant.created matches', [
      "items: {$ref: '#/components/schemas/EventType', const: plant.created}",
      "items: {$ref: '#/components/schemas/EventType'}\n          const: plant.created",
    ]),
  ],
  '06-webhooks.md': [
    mistake(
      'a path',
      '✗ The document is not valid OpenAPI 3.1',
      [
        '  plant.watered:\n    post:\n      requestBody:\n        content:\n          application/json:\n            schema: {type: object}\n      responses:\n        2XX: {description: The message is accepted.}\n',
        '',
      ],
      ['paths:\n', 'paths:\n  plant.watered:\n    post: {}\n'],
    ),
    mistake('no method', '✗ The document is not valid OpenAPI 3.1', [
      '  plant.watered:\n    post:\n      requestBody:',
      '  plant.watered:\n      requestBody:',
    ]),
    mistake('a schema of anything', '✗ A text does not match its body', [
      'schema: {type: object}\n      responses',
      'schema: {}\n      responses',
    ]),
    mistake('GET', '✗ The webhook plant.watered has a POST request', [
      'plant.watered:\n    post:',
      'plant.watered:\n    get:',
    ]),
  ],
  '07-callbacks.md': [
    mistake('a dangling reference', '`#/components/pathItems/Events` leads nowhere', [
      "plant.updated: {$ref: '#/components/pathItems/Event'}",
      "plant.updated: {$ref: '#/components/pathItems/Events'}",
    ]),
    mistake('the other webhook', '✗ It has the request of the callback', [
      "plant.updated: {$ref: '#/components/pathItems/Event'}",
      "plant.updated: {$ref: '#/webhooks/plant.created'}",
    ]),
    mistake('a reference to itself', 'leads back to itself', [
      "plant.updated: {$ref: '#/components/pathItems/Event'}",
      "plant.updated: {$ref: '#/webhooks/plant.updated'}",
    ]),
  ],
  '08-closed-objects.md': [
    mistake('additionalProperties', '✗ A sold plant matches SoldPlant', [
      'format: date-time}\n      unevaluatedProperties',
      'format: date-time}\n      additionalProperties',
    ]),
    mistake('open', '✗ A plant with a colour does not match', [
      'format: date-time}\n      unevaluatedProperties: false\n',
      'format: date-time}\n',
    ]),
    mistake('PlantRecord as a part', '✗ A sold plant matches SoldPlant', [
      "SoldPlant:\n      type: object\n      allOf:\n        - {$ref: '#/components/schemas/NewPlant'}",
      "SoldPlant:\n      type: object\n      allOf:\n        - {$ref: '#/components/schemas/PlantRecord'}",
    ]),
    mistake('NewPlant is closed', '✗ A sold plant matches SoldPlant', [
      '    NewPlant:\n',
      '    NewPlant:\n      additionalProperties: false\n',
    ]),
  ],
  '09-one-of.md': [
    mistake('no mapping', '✗ The mapping has plant.watered', [
      "          plant.watered: '#/components/schemas/PlantWatered'\n",
      '',
    ]),
    mistake('the mapping of another', '✗ The mapping of plant.watered leads to a schema of its own', [
      "plant.watered: '#/components/schemas/PlantWatered'",
      "plant.watered: '#/components/schemas/PlantDeleted'",
    ]),
    mistake('the type of another', '✗ A message plant.watered matches Message', [
      'const: plant.watered',
      'const: plant.deleted',
    ]),
    mistake('nothing required', '✗ A message plant.watered without an id does not match', [
      'PlantWatered:\n      type: object\n      required: [type, timestamp, id]\n',
      'PlantWatered:\n      type: object\n',
    ]),
    mistake('a dangling mapping', '`#/components/schemas/Watered` leads nowhere', [
      "plant.watered: '#/components/schemas/PlantWatered'",
      "plant.watered: '#/components/schemas/Watered'",
    ]),
  ],
  '10-int64.md': [
    mistake('number', '✗ A fraction does not match', ['motherId: {type: integer', 'motherId: {type: number']),
    mistake('int32', '✗ The format is int64', [
      'motherId: {type: integer, format: int64}',
      'motherId: {type: integer, format: int32}',
    ]),
    mistake('required', '✗ A plant without motherId still matches', [
      'required: [id, name]\n      properties:\n        motherId',
      'required: [id, name, motherId]\n      properties:\n        motherId',
    ]),
  ],
  '11-roles.md': [
    mistake('no role', '✗ The role is that of the answer', ["- bearerAuth: ['metrics:read']", '- bearerAuth: []']),
    mistake('another role', '✗ The role is that of the answer', [
      "- bearerAuth: ['metrics:read']",
      "- bearerAuth: ['plants:read']",
    ]),
    mistake('a second way in', '✗ It has one requirement', [
      "- bearerAuth: ['metrics:read']",
      "- bearerAuth: ['metrics:read']\n        - {}",
    ]),
    mistake('another scheme', 'There is no security scheme bearer', [
      "- bearerAuth: ['metrics:read']",
      "- bearer: ['metrics:read']",
    ]),
  ],
  '12-streams.md': [
    mistake('3.1', '✗ The document is not valid OpenAPI 3.1', ['openapi: 3.2.0', 'openapi: 3.1.1']),
    mistake('schema', '✗ The response to GET /events has an itemSchema', ['itemSchema:', 'schema:']),
    mistake('data as an object', '✗ An event with its data as a text matches', [
      'data: {type: string, contentMediaType',
      'data: {type: object, contentMediaType',
    ]),
    mistake('no media type of the data', '✗ The data is JSON', [
      'data: {type: string, contentMediaType: application/json}',
      'data: {type: string}',
    ]),
  ],
  '13-links.md': [
    mistake('the id of the response', '✗ The id is that of the request', [
      '$request.body#/id}\n        4XX',
      '$response.body#/id}\n        4XX',
    ]),
    mistake('another operation', '✗ It leads to the operation getPlant', [
      'operationId: getPlant\n              p',
      'operationId: updatePlant\n              p',
    ]),
    mistake('an operation that does not exist', 'No operation has the operationId getPlants', [
      'operationId: getPlant\n              p',
      'operationId: getPlants\n              p',
    ]),
    mistake('a parameter that does not exist', 'The operation getPlant has no parameter plantId', [
      'parameters: {id: $',
      'parameters: {plantId: $',
    ]),
  ],
  '14-tuples.md': [
    mistake('more items', '✗ A third item does not match', [
      '      minItems: 2\n      items: false\n',
      '      minItems: 2\n',
    ]),
    mistake('fewer items', '✗ An amount alone does not match', [
      '      minItems: 2\n      items: false\n',
      '      items: false\n',
    ]),
    mistake(
      'a list in items',
      '✗ The document is not valid OpenAPI 3.1',
      ['prefixItems:', 'additional:'],
      ['      items: false\n', '      items: [{type: number}, {type: string}]\n'],
    ),
  ],
  '15-generic-schemas.md': [
    mistake('$ref', '✗ A page of numbers does not match PageOfNames', [
      "items: {$dynamicRef: '#item'}",
      "items: {$ref: '#item'}",
    ]),
    mistake('no anchor', '✗ A page of numbers does not match PageOfNames', [
      'name: {$dynamicAnchor: item, type: string}',
      'name: {type: string}',
    ]),
    mistake('a page of texts alone', '✗ A page of numbers matches Page', [
      'anything: {$dynamicAnchor: item}',
      'anything: {$dynamicAnchor: item, type: string}',
    ]),
  ],
  '16-server-variables.md': [
    mistake('no default', '✗ The document is not valid OpenAPI 3.1', [
      '        enum: [eu, us]\n        default: eu\n',
      '        enum: [eu, us]\n',
    ]),
    mistake('another default', '✗ The region is eu by default', ['        default: eu\n', '        default: de\n']),
    mistake('no enum', '✗ The regions are eu and us', ['        enum: [eu, us]\n', '']),
    mistake('no braces', '✗ The URL of the first server', ['https://{region}.plants', 'https://region.plants']),
  ],
  '17-files.md': [
    mistake('the format of 3.0', '✗ The bytes are no text', [
      'schema: {contentMediaType: image/png}',
      'schema: {type: string, format: binary}',
    ]),
    mistake('the part as a text', '✗ The part is no text', [
      'picture: {}\n',
      'picture: {type: string, contentMediaType: application/octet-stream}\n',
    ]),
    mistake('no encoding', '✗ The part is an image/png or an image/jpeg', [
      "            encoding:\n              picture: {contentType: 'image/png, image/jpeg'}\n",
      '',
    ]),
    mistake('the format byte', '✗ Its content is a PNG in base64', [
      'contentMediaType: image/png, contentEncoding: base64',
      'format: byte',
    ]),
  ],
};

describe.each(lessons.map(({ file }, index) => ({ file, number: `${index + 1}` })))(
  'the exercise of docs/learn/$file',
  ({ file, number }) => {
    test('is done by its solution', async () => {
      const { outcome, lines } = await checkLesson(number, solutionOf(file));
      expect({ outcome, lines }).toMatchObject({
        outcome: 'right',
        lines: expect.not.arrayContaining([expect.stringContaining('✗')]),
      });
      expect(lines.at(-1)).toBe(`Lesson ${number} is done.`);
    });

    test('is not done in an unedited copy, and has a hint', async () => {
      const { outcome, lines } = await checkLesson(number, lesson);
      expect(outcome).toBe('wrong');
      expect(lines.at(-1)).toStartWith('Hint: ');
    });

    test.each(mistakes[file] ?? [])('is not done with the mistake: $name', async ({ instead, says }) => {
      const text = instead.reduce((solution, [lines, wrong]) => {
        expect(solution.split(lines)).toHaveLength(2);
        return solution.replace(lines, () => wrong);
      }, solutionOf(file));
      const { outcome, lines } = await checkLesson(number, text);
      expect({ outcome, text: lines.join('\n') }).toEqual({ outcome: 'wrong', text: expect.stringContaining(says) });
    });

    test('has at least two mistakes', () => {
      expect(mistakes[file]?.length).toBeGreaterThanOrEqual(2);
    });
  },
);
