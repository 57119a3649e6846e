/**
 * The headers of a request as Elysia has read them, by their names in lower case. Repeated headers are joined by `, `. A look-up
 * here costs less than in `request.headers`, which calls Bun each time.
 */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
