/** `GET /`: redirects a browser to the page, and returns one line of text with the address of the document to any other client. */
import { preferredType } from './accept.ts';

export const root = ({ request }: { request: Request }): Response =>
  preferredType(request.headers, ['text/plain', 'text/html']) === 'text/html'
    ? new Response(null, { status: 302, headers: { location: '/swagger', vary } })
    : new Response(addresses, { headers: { 'content-type': 'text/plain; charset=utf-8', vary } });

/** Only paths: behind a proxy, the service does not know its own scheme. */
const addresses = 'The OpenAPI document is at /openapi.json, and a page that shows it at /swagger.\n';

/** A cache that ignores `Accept` would return the redirect for the text, or the reverse. */
const vary = 'accept';
