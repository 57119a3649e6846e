import { fetchEventSource } from '@microsoft/fetch-event-source';
import { headers, print, url } from './program.ts';

// The package uses the timers of a browser's window. `openWhenHidden` is for the rest, which needs a document.
Object.assign(globalThis, { window: globalThis });
await fetchEventSource(url, { headers, openWhenHidden: true, onmessage: ({ id, data }) => print(id, data) });
