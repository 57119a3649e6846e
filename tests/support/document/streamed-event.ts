/** The items of an event stream, as the OpenAPI 3.2 document describes them. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { operations } from '../../../src/app/app.ts';
import { createDocument } from '../../../src/document/document.ts';
import { toOpenApi32 } from '../../../src/document/openapi-3.2.ts';
import { fits } from './document.ts';

/** The events of a stream, by an independent parser. Throws if it finds a fault. */
export const parseStream = (text: string): EventSourceMessage[] => {
  const items: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (item) => items.push(item),
    onError: (error) => {
      throw error;
    },
  });
  parser.feed(text);
  return items;
};

/** Whether an item matches `itemSchema`, and its parsed data the `contentSchema` there: validators do not parse strings. */
export const fitsItemSchema = async (item: { readonly data: string }): Promise<boolean> =>
  (await fits(itemSchema, item)) && (await fits(itemSchema.properties.data.contentSchema, JSON.parse(item.data)));

export const document32 = JSON.parse(JSON.stringify(toOpenApi32(createDocument(operations))));

/** The schema itself: `fits` follows references in the 3.1 document, which does not have it. */
const itemSchema = document32.components.schemas.StreamedEvent;
