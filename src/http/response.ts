/** An answer in JSON; every body that the service writes goes through here. */
export const jsonResponse = (body: object, headers: Readonly<Record<string, string>> = {}, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
