import type { InboxAddress } from '../base/inbox-address.ts';
import type { Config } from '../config/config.ts';
import type { Streams } from '../events/streams.ts';
import type { Log } from '../log.ts';
import type { HttpServer } from '../runtime/runtime.ts';
import type { Store } from '../store/store.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Generators } from '../webhooks/webhook.ts';

/** What the app has for its operations. Each names what it needs, and the compiler checks that it is here. */
export interface Services extends Store {
  readonly config: Config;
  readonly metrics: Metrics;
  readonly streams: Streams;
  readonly generate: Generators;
  /** The folder for large temporary files. */
  readonly spoolFolder: string;
  readonly isPending: HttpServer['isPending'];
  readonly limitTime: HttpServer['limitTime'];
  readonly log: Log;
  /** In development and in the demo. */
  readonly inbox?: InboxAddress | undefined;
}
