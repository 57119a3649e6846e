import { int64ToJson } from '../../base/int64.ts';
import { eventIdOf, type PlantEvent, type Sequenced, toPayload } from '../../domain/event.ts';

/** An event as `GET /events` has it, for `JSON.stringify`: the message to webhooks, and the place in the log. */
export const toBody = (event: Sequenced<PlantEvent>) => ({
  eventId: eventIdOf(event),
  sequence: int64ToJson(event.sequence),
  ...toPayload(event),
});

/** The same as a server-sent event. JSON has no line break outside of its escapes, so `data` is one line. */
export const toFrame = (event: Sequenced<PlantEvent>): string => {
  const body = toBody(event);
  return `id: ${body.eventId}\nevent: ${event.type}\ndata: ${JSON.stringify(body)}\n\n`;
};
