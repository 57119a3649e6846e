/** Makes the attempts that it reads from stdin, one JSON text a line, and writes each outcome to stdout. It runs on any runtime. */
import { createInterface } from 'node:readline';
import { createPost } from '../../src/sender/attempt.ts';

export interface PostCommand {
  readonly id: number;
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivate: boolean;
  /** The addresses of every name. If omitted, names are looked up. */
  readonly addresses?: readonly string[];
  /** The public addresses. */
  readonly public?: readonly string[];
  readonly timeoutMs?: number;
  readonly ca?: string;
  /** When the attempt is stopped. */
  readonly stopMs?: number;
}

const run = async ({ url, body, headers, stopMs, addresses, public: open = [], ...options }: PostCommand) => {
  const stopped = stopMs === undefined ? new AbortController().signal : AbortSignal.timeout(stopMs);
  const post = createPost({
    ...options,
    isPublic: (address) => open.includes(address),
    ...(addresses && { lookUp: async () => addresses }),
  });
  return post({ url, body, headers }, stopped).catch((error) => ({ rejected: `${error.name}` }));
};

for await (const line of createInterface({ input: process.stdin })) {
  const command: PostCommand = JSON.parse(line);
  void run(command).then((outcome) => console.log(JSON.stringify({ id: command.id, outcome })));
}
