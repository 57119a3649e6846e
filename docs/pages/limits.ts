/** docs/limits.md, from the constants whose comment has `@limit group | what | what happens past it`. */
import { attemptsMax, jitterMax, retryDelaysSeconds, roundInWords } from '../../src/deliveries/delivery.ts';
import { read, sources } from '../../tests/support/imports.ts';
import { table } from './markdown.ts';

export const renderLimits = (): string => {
  const limits = sources.toSorted().flatMap(limitsIn);
  return `# Limits

A number under "past it" is the HTTP status of the response. The limits of settings are in [settings.md](settings.md).

${groups.map((group) => sectionOf(group, limits)).join('\n\n')}

## Retries

A message is sent ${attemptsMax} times before its delivery fails: at once, then after ${listOf(retryDelaysSeconds.map((seconds) => durationOf(seconds * 1000)))}.
Each of these delays is up to ${100 * jitterMax} % longer. Together that is ${roundInWords}. A \`Retry-After\` of the receiver can make a delay longer.

## The HTTP parser

Bun's HTTP parser comes before the service.

- It responds to some malformed requests with an empty body (400, 413, 431, 505), and closes the connection when it does not know the method.
- It closes a connection on which a request comes behind an unanswered one that needs the database, or behind one that waits for the next turn
  of the event loop, as [many requests at once](#processes) do. Clients can send the request again.
- It reads the trailers of a chunked body as a second request, which gets 400.
- It responds to \`Expect: 100-continue\` before the token is checked.
- It resolves \`..\` in a path, as URLs are resolved.
- It closes a connection whose request stalls in its head or its body, after 15 to 20 seconds. A response may take longer if its client reads
  steadily.
- It accepts connections up to the hard limit of open files (\`ulimit -Hn\`, \`LimitNOFILE\` of systemd). Further ones wait until another is closed.

On Node and Deno, it is the parser of Node. It differs in this:

- It responds to a method that it does not know with an empty 400, to CONNECT by closing the connection, and to an overlong header section (16 KiB)
  with an empty 431.
- It answers pipelined requests in their order, each one after the response to the one before it, and reads trailers.
- It closes a connection whose request stalls after 15 to 17 seconds.
- It responds to a malformed request after the requests before it have their responses.
- Without free descriptors, Node closes new connections at once. On Deno they wait, and idle ones are closed when there are free descriptors again.

[tests/runtime/requests.ts](../tests/runtime/requests.ts) lists requests of every kind, with the response on each runtime and the reason for each difference.
`;
};

/** The sections, in their order. */
const groups = ['Requests', 'Plants', 'Tokens', 'Webhooks', 'Database', 'Processes'];

interface Limit {
  readonly group: string;
  readonly what: string;
  readonly value: string;
  readonly past: string;
  readonly path: string;
}

/** Throws when the comment or the value is not of the known form, so that no limit is lost. */
const limitsIn = (path: string): Limit[] => {
  const source = read(path);
  const found = [...source.matchAll(taggedConstant)].map(([, tag = '', name = '', value = '']): Limit => {
    const [group = '', what = '', past = '', ...rest] = tag
      .split('|')
      .map((part) => part.replaceAll(/\s+(?:\* )?/g, ' ').trim());
    if (!groups.includes(group) || past === '' || rest.length > 0)
      throw new Error(`${path}: @limit of ${name} must be: one of ${groups.join(', ')} | what | past it`);
    return { group, what, value: limitOf(name, value), past, path };
  });
  if (found.length !== source.split('@limit').length - 1)
    throw new Error(`${path}: @limit must be the last of the comment on a constant that is a product of numbers`);
  return found;
};

/** The comment ends with the tag, and the value is a product of numbers. */
const taggedConstant = /@limit ((?:(?!\*\/)[\s\S])+)\*\/\n(?:export )?const (\w+) = ([\d_]+n?(?: \* [\d_]+n?)*);/g;

/** The unit is in the name. */
const limitOf = (name: string, factors: string): string => {
  const value = factors.split(' * ').reduce((product, factor) => product * Number(factor.replaceAll(/[_n]/g, '')), 1);
  if (/Bytes(?:Max)?$/.test(name)) return sizeOf(value);
  return /Ms(?:Max)?$/.test(name) ? durationOf(value) : value.toLocaleString('en-US');
};

const sizeOf = (bytes: number): string => (bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`);

const durationOf = (ms: number): string => {
  const [unitMs, unit] = units.find(([size]) => ms >= size) ?? [1, 'millisecond'];
  return `${ms / unitMs} ${unit}${ms === unitMs ? '' : 's'}`;
};

const units = [
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const;

const listOf = (items: readonly string[]): string => new Intl.ListFormat('en-GB').format(items);

const sectionOf = (section: string, limits: readonly Limit[]): string =>
  `## ${section}\n\n${table(
    ['what', 'limit', 'past it', 'where'],
    limits
      .filter(({ group }) => group === section)
      .map(({ what, value, past, path }) => [what, value, past, `[${path.replace('src/', '')}](../${path})`]),
  )}`;
