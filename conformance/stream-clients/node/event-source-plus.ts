import { EventSourcePlus } from 'event-source-plus';
import { headers, print, url } from './program.ts';

new EventSourcePlus(url, { headers }).listen({ onMessage: ({ id, data }) => print(id, data) });
