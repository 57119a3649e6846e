/** An answer in JSON; every body that the service writes goes through here. */
export const jsonResponse = (body: object, headers: Readonly<Record<string, string>> = {}, status?: number): Response =>
  new Response(JSON.stringify(body), {
    ...(status !== undefined && { status }),
    headers: { 'content-type': 'application/json', ...headers },
  });
