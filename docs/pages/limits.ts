/** docs/limits.md, from the constants whose comment has `@limit group | what | what happens past it`. */
import { attemptsMax, jitterMax, retryDelaysSeconds, roundInWords } from '../../src/webhooks/retries.ts';
import { read, sources } from '../../tests/support/project/imports.ts';
import { item, paragraph } from './markdown.ts';

export const renderLimits = (): string => {
  const limits = sources.toSorted().flatMap(limitsIn);
  return `# Limits

Beyond a limit happens what is in brackets; a number is an HTTP status. [settings.md](settings.md) has the limits of settings.

${groupsOf(limits)
  .map((group) => sectionOf(group, limits))
  .join('\n\n')}

## What limits do

Each figure is without the limit → with it, on Bun, Node and Deno; two cores, SQLite.

| Load | Figure | Bun | Node | Deno |
| --- | --- | --- | --- | --- |
| 200 clients search 120,000 plants | median get, ms | 1,400 → 2.7 | 719 → 1.3 | 931 → 29 |
| the name servers of 50 of 100 webhooks are silent | slowest message to others, s | over 4 → 0.14 | over 4 → 0.18 | over 4 → 0.24 |
| 500 requests for pages of 1 MiB that nobody reads | memory, MiB | 1,134 → 205 | 559 → 159 | 727 → 180 |
| 1,000 clients that do not read a script of 4 MiB | memory, MiB | | 3,706 → 6 | 2,794 → 35 |
| 50 pages of the inbox that read nothing | memory, MiB | 1,462 → 12 | 1,278 → 17 | 1,282 → 55 |

${paragraph('`X-Total-Count` is exact up to 1,000: to count 100,000 takes 5.8 ms on SQLite and 36 ms on PostgreSQL, and 10,000 take 0.26 ms on SQLite. A larger exact total needs a count for each tag that a process keeps beside its log position, and the old tag in the event `plant.updated`. A list with `name` or `search` has no total: no index has it, so a count would look at every plant in the store.')}

${paragraph('A store in memory, such as that of the demo, has one connection. All other requests wait while an import writes its rows: 50 to 171 ms for 5,000 rows, and 1.3 to 1.6 s for 100,000, measured on two busy cores with Bun. In a file, an import has a connection of its own, so that reads go on.')}

${paragraph('On PostgreSQL the first load was measured with 60,000 plants on a busy machine: the median get took 1 to 23 ms for each kind of search, and 1.5 without them.')}

## Retries

${paragraph(`A message is sent ${attemptsMax} times before its delivery fails: at once, then after ${listOf(retryDelaysSeconds.map((seconds) => durationOf(seconds * 1000)))}. Each delay is up to ${100 * jitterMax} % longer: ${roundInWords}. A \`Retry-After\` of the receiver can make it longer still.`)}

## The HTTP parser

Bun's parser handles some requests before the service:

- Some malformed requests get an empty response (400, 413, 431, 505). An unknown method closes the connection.
- A pipelined request closes the connection behind one that waits for the database or for [its turn](#processes). Send it again.
- Bytes in a target that are not UTF-8 become U+FFFD, so it is refused in a query, on all runtimes.
- Trailers of a chunked body count as a second request, which gets 400.
- \`Expect: 100-continue\` is answered before the token is checked, and \`..\` in a path is resolved.
- A request that stalls closes the connection after 15 to 20 seconds. A response may take longer if its client reads steadily.
- Connections beyond the hard limit of open files (\`ulimit -Hn\`, \`LimitNOFILE\` of systemd) wait.

Node's parser, on Node and Deno, differs:

- An unknown method, or a byte beyond ASCII in the target, gets an empty 400, a header section of more than 16 KiB an empty 431. CONNECT
  closes the connection.
- Pipelined requests are served one after the other, and trailers are read.
- A request that stalls closes the connection after 15 to 17 seconds. A malformed one gets its response after those before it.
- Without free descriptors, Node closes new connections. On Deno they wait, and idle ones are closed later.

[tests/runtime/requests.ts](../tests/runtime/requests.ts) has the response to each kind of request on each runtime.
`;
};

/** The sections: first these, then those of other resources, then the rest. */
const groupsOf = (limits: readonly Limit[]): readonly string[] => {
  const [first, last] = [
    ['Requests', 'Plants', 'Tokens', 'Webhooks'],
    ['The inbox', 'Database', 'Processes'],
  ];
  const others = new Set(limits.map(({ group }) => group)).difference(new Set([...first, ...last]));
  return [...first, ...others, ...last];
};

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
    if (past === '' || rest.length > 0) throw new Error(`${path}: @limit of ${name} must be: group | what | past it`);
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
  if (/Seconds(?:Max)?$/.test(name)) return durationOf(1000 * value);
  return /Ms(?:Max)?$/.test(name) ? durationOf(value) : value.toLocaleString('en-US');
};

const sizeOf = (bytes: number): string => {
  const [unitBytes, unit] = sizes.find(([size]) => bytes >= size) ?? [1, 'bytes'];
  return `${bytes / unitBytes} ${unit}`;
};

const sizes = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
] as const;

const durationOf = (ms: number): string => {
  const [unitMs, unit] = durations.find(([size]) => ms >= size) ?? [1, 'millisecond'];
  return `${ms / unitMs} ${unit}${ms === unitMs ? '' : 's'}`;
};

const durations = [
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
] as const;

const listOf = (items: readonly string[]): string => new Intl.ListFormat('en-GB').format(items);

const sectionOf = (section: string, limits: readonly Limit[]): string =>
  [
    `## ${section}\n`,
    ...limits
      .filter(({ group }) => group === section)
      .map(({ what, value, past, path }) => item(`${what}: [${value}](../${path}) (${past})`)),
  ].join('\n');
