import { eventIdOf, type PlantEvent, payloadOf, type Sequenced } from '../../domain/event.ts';

/** An event as `GET /events` has it, in JSON: its place in the log, and the members of the message to webhooks. */
export const toJson = (event: Sequenced<PlantEvent>): string => encode(event).json;

/** The same as a server-sent event (WHATWG HTML §9.2). JSON has its line breaks in escapes, so `data` is one line. */
export const toFrame = (event: Sequenced<PlantEvent>): string => {
  const { id, json } = encode(event);
  return `id: ${id}\nevent: ${event.type}\ndata: ${json}\n\n`;
};

const encode = (event: Sequenced<PlantEvent>) => {
  const payload = payloadOf(event);
  const id = eventIdOf(event, payload);
  return { id, json: `{"eventId":"${id}","sequence":${event.sequence},${payload.slice(1)}` };
};

/**
 * The beginning of a stream, and its heartbeat: an empty comment, which shows to the client and to proxies that the stream is alive,
 * and the id of the last event that was passed, without the event. A client that has got no event of its type for long, or none at
 * all, connects again with this id and misses nothing.
 */
export const heartbeatFrame = (id: string): string => `:\nid: ${id}\n\n`;
