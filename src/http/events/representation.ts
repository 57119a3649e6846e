import { eventIdOf, type PlantEvent, payloadOf, type Sequenced } from '../../domain/event.ts';

/** The JSON of an event in `GET /events`: its place in the log, and the members of the message to webhooks. */
export const toJson = (event: Sequenced<PlantEvent>): string => encode(event).json;

/** The same as a server-sent event (WHATWG HTML §9.2). JSON escapes line breaks, so `data` is one line. */
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
 * The beginning of a stream, and its heartbeat: an empty comment, which shows the client and proxies that the stream is alive,
 * and the id of the current position, without an event. A client that has not received an event of its type for a long time, or
 * none at all, reconnects with this id and misses nothing.
 */
export const heartbeatFrame = (id: string): string => `:\nid: ${id}\n\n`;
