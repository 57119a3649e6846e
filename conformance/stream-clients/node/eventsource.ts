import { EventSource } from 'eventsource';
import { headers, print, url } from './program.ts';

const source = new EventSource(url, {
  fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
});
// An event without a type is a `message`.
for (const type of ['plant.created', 'message'])
  source.addEventListener(type, ({ lastEventId, data }) => print(lastEventId, data));

// The package's timer alone does not keep the process running until it reconnects.
setInterval(() => {}, 60_000);
