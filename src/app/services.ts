import type { InboxAddress } from '../base/inbox-address.ts';
import type { Config } from '../config/config.ts';
import type { Streams } from '../events/streams.ts';
import type { Store } from '../store/store.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Generators } from '../webhooks/webhook.ts';

/** What the app has for its operations. Each names what it needs, and the compiler checks that it is here. */
export interface Services extends Store {
  readonly config: Config;
  readonly metrics: Metrics;
  readonly streams: Streams;
  readonly generate: Generators;
  /** In development and in the demo. */
  readonly inbox?: InboxAddress | undefined;
}
