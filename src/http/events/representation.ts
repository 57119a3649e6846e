import { int64ToJson } from '../../base/int64.ts';
import { eventIdOf, type PlantEvent, type Sequenced, toPayload } from '../../domain/event.ts';

/** An event as `GET /events` has it, for `JSON.stringify`: the message to webhooks, and the place in the log. */
export const toBody = (event: Sequenced<PlantEvent>) => ({
  eventId: eventIdOf(event),
  sequence: int64ToJson(event.sequence),
  ...toPayload(event),
});

/** The same as a server-sent event (WHATWG HTML §9.2). JSON has its line breaks in escapes, so `data` is one line. */
export const toFrame = (event: Sequenced<PlantEvent>): string => {
  const body = toBody(event);
  return `id: ${body.eventId}\nevent: ${event.type}\ndata: ${JSON.stringify(body)}\n\n`;
};

/**
 * The beginning of a stream, and its heartbeat: an empty comment, which shows to the client and to proxies that the stream is alive,
 * and the id of the last event that was passed, without the event. A client that has got no event of its type for long, or none at
 * all, connects again with this id and misses nothing.
 */
export const heartbeatFrame = (id: string): string => `:\nid: ${id}\n\n`;
