import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The header `traceparent` to propagate (https://www.w3.org/TR/trace-context/), in version 00 and with the flags of this version.
 * Undefined if the header is missing or invalid (§3.2).
 */
export const readTraceparent = (header: string | null): string | undefined => {
  if (header === null) return undefined;
  const [, version, ids, flags = '', rest] = form.exec(header) ?? [];
  if (ids === undefined || (version === '00' && rest !== undefined)) return undefined;
  return `00-${ids}-0${Number.parseInt(flags, 16) & flagsKnown}`;
};

/**
 * Calls `use`, which handles a request with this `traceparent`, if any. All that it calls can read the `traceparent` by `currentTrace`, after
 * an `await` too, so that no function between the two passes it on. A request without one costs nothing.
 */
export const withTrace = <Result>(traceparent: string | undefined, use: () => Result): Result =>
  traceparent === traces.getStore() ? use() : traces.run(traceparent, use);

export const currentTrace = (): string | undefined => traces.getStore();

const traces = new AsyncLocalStorage<string | undefined>();

/** The trace id of a `traceparent` that `readTraceparent` has returned: 32 hexadecimal digits. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** Version ff is forbidden, and so are ids that consist of zeros. A later version may have more fields. */
const form = /^((?!ff)[\da-f]{2})-((?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The flags `sampled` and `random`. */
const flagsKnown = 0b11;

/** The methods that OpenTelemetry defines, and its word for all others, so that clients cannot choose a label or the name of a span. */
export const knownMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'] as const;
export const otherMethod = '_OTHER';
