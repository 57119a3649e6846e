/**
 * The headers of a request as Elysia has read them, by their names in lower case. Lines of one name are joined by `, `. To look a name
 * up here costs less than in `request.headers`, which asks Bun each time.
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
