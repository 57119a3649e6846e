/** What the servers of the cases share. */

/** The members of a body that is an object of JSON, or undefined. */
export const membersOf = (body: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

export const refused = (): Response => new Response(null, { status: 400 });
