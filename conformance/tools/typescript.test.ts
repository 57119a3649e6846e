/** How TypeScript generators read OpenAPI 3.1. */
import { setDefaultTimeout } from 'bun:test';
import { join } from 'node:path';
import { describeGenerator } from './generator.ts';

// The machine may be busy.
setDefaultTimeout(60_000);

const bin = (name: string): string[] => [process.execPath, join(import.meta.dir, '../node_modules/.bin', name)];

describeGenerator({
  tool: 'orval',
  command: [...bin('orval'), '--input', 'small.json', '--output', 'api.ts', '--client', 'fetch'],
  files: ['api.ts'],
  has: {
    'null is a type of the tag': 'tag?: string | null;',
    'the members beside a discriminated oneOf are in each branch':
      '(PlantCreated & { /** of an event */ eventId: EventId; })',
    'a description beside a $ref in a schema is kept': '/** of an event */ eventId: EventId;',
    'the first of two media types for one body is sent':
      "method: 'PATCH', headers: { 'Content-Type': 'application/merge-patch+json'",
    'an annotated enumeration is any number': 'interface Error { error: number; }',
    'a writeOnly member is in the type for responses too': 'interface Webhook { url: string; secret?: string; }',
    'a constant is a type': "PlantCreatedType = { plantcreated: 'plant.created', } as const;",
    'the message of a webhook has its type': 'interface PlantCreated ',
  },
  lacks: {
    'a description beside the reference to a parameter is lost': 'of webhooks',
    'a webhook has no function': 'onPlantCreated',
    'a callback has no function': 'onCallback',
  },
});

describeGenerator({
  tool: 'oazapfts',
  command: [...bin('oazapfts'), 'small.json', 'api.ts'],
  files: ['api.ts'],
  has: {
    'the members beside a discriminated oneOf are lost': 'type Event = ({ "type": "plant.created"; } & PlantCreated) |',
    'null is a type of the tag': 'tag?: string | null;',
    'an annotated enumeration is a union of its numbers': 'type Error = { error: 40000 | 40001; }',
    'the type for responses has the readOnly members': 'type PlantRecordRead = NewPlant & { createdAt: string; }',
    'the type for requests has the writeOnly members': 'type WebhookWrite = { url: string; secret?: string; }',
    'a constant is a type': '"type": "plant.created";',
  },
  lacks: {
    'the media type of a merge patch is lost': 'merge-patch',
    'webhooks are ignored': 'onPlantCreated',
    'callbacks are ignored': 'onCallback',
  },
});

describeGenerator({
  tool: 'typed-openapi',
  command: [...bin('typed-openapi'), 'small.json', '--output', 'api.ts'],
  files: ['api.ts'],
  has: {
    'the members beside a discriminated oneOf are lost': 'type Event = (PlantCreated | PlantDeleted)',
    'null is a type of the tag': 'tag: (string | null)',
    'a constant is any string': 'type PlantDeleted = { type: string }',
    'an annotated enumeration is unknown': 'type Error = { error: (unknown | unknown) }',
    'a schema that closes an allOf is mistaken for an open one': '{ createdAt: string } & Record<string, unknown>',
  },
  lacks: {
    'the media type of a merge patch is lost': 'merge-patch',
    'webhooks are ignored': 'onPlantCreated',
    'callbacks are ignored': 'onCallback',
  },
});

describeGenerator({
  tool: 'swagger-typescript-api',
  command: [...bin('swagger-typescript-api'), 'generate', '-p', 'small.json', '-o', '.', '-n', 'api.ts'],
  files: ['api.ts'],
  has: {
    'null is a type of the tag': 'tag?: string | null;',
    'an annotated enumeration is a union of its numbers': 'error: 40000 | 40001; }',
    'a constant is a type': 'interface PlantDeleted { type: "plant.deleted"; }',
    'the members beside a discriminated oneOf are in each branch': 'type Event = BaseEvent & (',
    'a description beside a $ref in a schema is kept': '/** of an event */ eventId: EventId;',
    'a writeOnly member is in the type for responses too': 'interface Webhook { url: string; secret?: string; }',
  },
  lacks: {
    'a description beside the reference to a parameter is lost': 'of webhooks',
    'the media type of a merge patch is lost': 'merge-patch',
    'webhooks are ignored': 'onPlantCreated',
    'callbacks are ignored': 'onCallback',
  },
});

describeGenerator({
  tool: 'openapi-zod-client',
  command: [...bin('openapi-zod-client'), 'small.json', '--output', 'api.ts'],
  files: ['api.ts'],
  has: {
    'the members beside a discriminated oneOf are lost':
      'const Event = z.discriminatedUnion("type", [PlantCreated, PlantDeleted])',
    'null is a type of the tag': 'tag: z.union([z.string(), z.null()])',
    'a constant is any string, so that zod refuses the discriminated union':
      'const PlantDeleted = z.object({ type: z.string() })',
    'an annotated enumeration calls a method that a union does not have': 'z.union([z.unknown(), z.unknown()]).int()',
    'a schema that closes an allOf is mistaken for an open one':
      'createdAt: z.string().datetime({ offset: true }) }).passthrough()',
  },
  lacks: {
    'webhooks are ignored': 'onPlantCreated',
    'callbacks are ignored': 'onCallback',
  },
});
