/** The methods that OpenTelemetry defines, and its word for all others, so that clients cannot choose a label or the name of a span. */
export const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'] as const;
export const otherMethod = '_OTHER';

const known: ReadonlySet<string> = new Set(knownMethods);
export const isKnownMethod = (method: string): boolean => known.has(method);
