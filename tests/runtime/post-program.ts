/**
 * Makes the attempts that it reads from stdin, one JSON text a line, and writes each outcome to stdout. `{"stop":true}` stops those in
 * progress. It runs on any runtime.
 */
import { createInterface } from 'node:readline';
import { createPost, type PostMessage } from '../../src/sender/attempt.ts';

export interface PostCommand {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivate: boolean;
  /** The addresses of every name. If omitted, names are looked up. */
  readonly addresses?: readonly string[] | undefined;
  /** The public addresses. */
  readonly public?: readonly string[];
  readonly timeoutMs?: number;
  readonly ca?: string;
  /** When the attempt is stopped. */
  readonly stopMs?: number;
}

const posts = new Map<string, PostMessage>();

/** Attempts with the same options have one sender, as in the service. */
const postWith = ({
  addresses,
  public: open = [],
  ...options
}: Omit<PostCommand, 'id' | 'url' | 'body' | 'headers'>) => {
  const key = JSON.stringify({ addresses, open, ...options });
  const post =
    posts.get(key) ??
    createPost({
      ...options,
      isPublic: (address) => open.includes(address),
      ...(addresses && { lookUp: async () => addresses }),
    });
  posts.set(key, post);
  return post;
};

const stopping = new AbortController();

const run = async ({ id: _, url, body, headers, stopMs, ...options }: PostCommand) => {
  const stopped = stopMs === undefined ? stopping.signal : AbortSignal.timeout(stopMs);
  return postWith(options)({ url, body, headers }, stopped).catch((error) => ({ rejected: `${error.name}` }));
};

const ended: Promise<void>[] = [];
for await (const line of createInterface({ input: process.stdin })) {
  const command: PostCommand | { readonly stop: true } = JSON.parse(line);
  if ('stop' in command) stopping.abort();
  else ended.push(run(command).then((outcome) => console.log(JSON.stringify({ id: command.id, outcome }))));
}
await Promise.all(ended);
// As main.ts does.
process.exit();
