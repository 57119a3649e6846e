import { createEventSource } from 'eventsource-client';
import { headers, print, url } from './program.ts';

createEventSource({ url, headers, onMessage: ({ id, data }) => print(id, data) });
