/** The delivery records of the service, read through its API: a paused process that wakes up must change none of them. */

import { nextPath } from '../../support/app/links.ts';
import { messageIdOf } from '../../support/webhooks/delivery-audit.ts';
import type { Scene, Target } from './webhook-scene.ts';

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly attempts: readonly { readonly status?: number }[];
}

/** The attempts of settled deliveries, as text, by webhook and delivery. */
export type Settled = Map<string, string>;

/** Adds the newest deliveries that are settled. */
export const rememberSettled = async (scene: Scene, settled: Settled): Promise<void> => {
  for (const target of scene.targets) {
    const { value: page = [] } = await listDeliveries(scene, target).next();
    for (const delivery of page) if (delivery.state !== 'pending') settled.set(...entryOf(target, delivery));
  }
};

/** The faults in the records of a webhook whose messages have all arrived, in sentences. */
export const auditRecords = async (scene: Scene, target: Target, settled: Settled): Promise<string[]> => {
  const faults: string[] = [];
  const arrived = new Set(target.received.map(messageIdOf));
  for await (const page of listDeliveries(scene, target)) {
    for (const delivery of page) {
      const [name, attempts] = entryOf(target, delivery);
      const successes = delivery.attempts.filter(({ status }) => status === 204).length;
      if (delivery.state !== 'delivered' || successes !== 1)
        faults.push(`A delivery is ${delivery.state} with ${successes} successful attempts: ${attempts}`);
      if (delivery.attempts.length > target.timesOwed(delivery.id))
        faults.push(`A delivery has more attempts than it took: ${attempts}`);
      if ((settled.get(name) ?? attempts) !== attempts)
        faults.push(`A settled delivery has changed from ${settled.get(name)} to ${attempts}`);
      arrived.delete(delivery.id);
    }
  }
  if (arrived.size > 0) faults.push(`${arrived.size} messages were sent and not recorded`);
  return faults;
};

const entryOf = ({ id }: Target, delivery: Delivery): [string, string] => [
  `${id} ${delivery.id}`,
  JSON.stringify(delivery.attempts),
];

/** The deliveries of a webhook, the newest first, in pages. */
async function* listDeliveries({ get }: Scene, { id }: Target): AsyncGenerator<readonly Delivery[]> {
  for (let path = `/webhooks/${id}/deliveries?limit=1000`; path !== ''; ) {
    const response = await get(path);
    yield JSON.parse(await response.text());
    path = nextPath(response, path) ?? '';
  }
}
