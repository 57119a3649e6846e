/** An answer in JSON; every body that the service writes goes through here. */
export const jsonResponse = (body: object, headers: Record<string, string> = {}, status = 200): Response => {
  headers['content-type'] = 'application/json';
  return new Response(JSON.stringify(body), { status, headers });
};
