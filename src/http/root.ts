/** `GET /`: a browser goes to the page, and any other client gets one line of text that says where the document is. */
import { preferredType } from './accept.ts';

export const root = ({ request }: { request: Request }): Response =>
  preferredType(request.headers, ['text/plain', 'text/html']) === 'text/html'
    ? new Response(null, { status: 302, headers: { location: '/swagger', vary } })
    : new Response(addresses, { headers: { 'content-type': 'text/plain; charset=utf-8', vary } });

/** Paths alone: behind a proxy, the service does not know its own scheme. */
const addresses = 'The OpenAPI document is at /openapi.json, and a page that shows it at /swagger.\n';

/** A cache that does not look at `Accept` would give one answer for the other. */
const vary = 'accept';
