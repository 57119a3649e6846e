/** The types of the API by Eden, without what a page has. */
import type { createClient } from '../../examples/eden/client.ts';

export type Api = ReturnType<typeof createClient>;

export interface Reply {
  readonly data: unknown;
  readonly error: { readonly value: unknown } | null;
  readonly response?: Response;
}

/** What a request resolves to, by the type of its method: `Data<Api['plants']['get']>`. */
export type Data<Method extends (...args: never[]) => Promise<Reply>> = NonNullable<
  Awaited<ReturnType<Method>>['data']
>;
