import type { PostCommand } from '../../runtime/post-program.ts';
import { type ProgramOptions, startOn } from './program-on.ts';
import type { RuntimeName } from './runtimes.ts';

export const messageBody = '{"type":"webhook.test"}';

/** A program that makes attempts, on this runtime. Use with `await using`. */
export const startSenderOn = (runtime: RuntimeName, options: ProgramOptions = {}) => {
  const program = startOn(runtime, 'post-program.ts', options);
  let count = 0;
  /** Makes an attempt. By default, every name is that of this machine, and private addresses are allowed. */
  const send = async (url: string, options: Partial<PostCommand> = {}): Promise<Record<string, unknown>> => {
    count += 1;
    const id = count;
    const headers = { 'webhook-id': 'evt_1_x', 'user-agent': 'plant-store' };
    program.send({ id, url, headers, body: messageBody, allowPrivate: true, addresses: ['127.0.0.1'], ...options });
    const { outcome } = await program.result('id', id);
    return Object(outcome);
  };
  return {
    ...program,
    /** Resolves to the outcome. */
    sendMessage: send,
    /** Resolves to the attempt of the outcome. */
    attempt: async (url: string, options?: Partial<PostCommand>): Promise<unknown> =>
      (await send(url, options))['attempt'],
  };
};

export type SenderOn = ReturnType<typeof startSenderOn>;
