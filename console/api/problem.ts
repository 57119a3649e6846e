/** Why a request failed, in words for the user of the page. */
import { permissions } from '../parts/permissions.ts';

/** What is wrong with members of a request, by their names. */
export type Faults = Readonly<Record<string, string>>;

interface ProblemInit {
  /** 0 if there was no response. */
  readonly status: number;
  /** The number of the error, such as 41200. */
  readonly number?: number;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  readonly faults?: Faults;
}

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly number: number;
  readonly retryAfterSeconds: number;
  readonly faults: Faults;

  constructor({ status, number = 0, message = '', retryAfterSeconds = 1, faults = {} }: ProblemInit) {
    super(message);
    this.status = status;
    this.number = number;
    this.retryAfterSeconds = retryAfterSeconds;
    this.faults = faults;
  }

  /** Whether the same request can succeed a little later, and has changed nothing. */
  get isTemporary(): boolean {
    return this.status === 429 || this.number === 50300;
  }
}

/** `value` is the body of the response. A proxy may have sent it. */
export const problemOf = (response: Response | undefined, value: unknown): Problem => {
  if (!response) return new Problem({ status: 0 });
  const { status, headers } = response;
  const body: { error?: unknown; message?: unknown; details?: unknown } =
    typeof value === 'object' && value !== null ? value : {};
  return new Problem({
    status,
    number: typeof body.error === 'number' ? body.error : 0,
    message: typeof body.message === 'string' ? body.message : '',
    retryAfterSeconds: Number(headers.get('retry-after') ?? 1) || 1,
    faults: faultsOf(body.details),
  });
};

/** Of the `details` of a 40001, each of which has the pointer to an invalid member, and the rule that it breaks. */
const faultsOf = (details: unknown): Faults =>
  Object.fromEntries(
    (Array.isArray(details) ? details : [])
      .filter((detail) => typeof detail?.pointer === 'string')
      .map(({ pointer, message }) => [pointer.slice(1), inWords(`${pointer} ${message}.`)]),
  );

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem({ status: -1, message: `${error}` });

/** What happened, and what the user can do. */
export const explain = ({ status, number, message: exact, retryAfterSeconds: seconds }: Problem): string => {
  const message = inWords(exact);
  if (number === 50301) return `${message} Read again before you repeat it.`;
  switch (status) {
    case -1:
      return `The console failed: ${message}`;
    case 0:
      return 'The server cannot be reached. What you typed is still here.';
    case 401:
      return 'The token is not valid: it is missing, unknown, expired or revoked. Enter another one; what you typed is still here.';
    case 403:
      return `${message} Enter a token that has it; what you typed is still here.`;
    case 404:
      return `${message} It may have been deleted.`;
    case 405:
      return 'The service does not permit this. It may serve only reads.';
    case 412:
      return 'It was changed in the meantime.';
    case 429:
      return `${message} Try again in ${secondsOf(seconds)}.`;
    case 503:
      return `${message || 'The service is not available.'} Try again in ${secondsOf(seconds)}.`;
    default:
      return message || `The server responded with the status ${status}.`;
  }
};

const secondsOf = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`);

/** A message of the API, for people who know no JSON Pointer and no scope. */
export const inWords = (message: string): string =>
  message
    .replace(/^\/(\w)(\w*) /, (_, first: string, rest: string) => `${first.toUpperCase()}${rest} `)
    .replace(', without U+0000 or lone surrogates', '')
    .replace('must be null or a string', 'must be a string')
    .replace(
      /^The query parameter sort cannot be by name if (more than .*)\.$/,
      'There is no order by name if $1. Filter them first, such as by a tag.',
    )
    .replace(
      /\bscope ((?:plants|webhooks|metrics):\w+)/,
      (_, scope: string) => `permission to ${permissions([scope])}`,
    );
