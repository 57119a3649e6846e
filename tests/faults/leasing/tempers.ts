/** Receivers with different behaviour, with several webhooks each: one accepts everything immediately, one is slow at times, one refuses. */
import { messageIdOf } from '../../support/webhooks/delivery-audit.ts';
import { createReceiver, type Received, taken } from '../../support/webhooks/receiver.ts';

/** One webhook of a receiver. */
export interface Mailbox {
  readonly temper: string;
  readonly url: string;
  /** The received messages, in order. */
  readonly received: readonly Received[];
  /** How often the message of this event has to arrive: once more than it is refused. */
  readonly timesOwed: (id: string) => number;
}

export interface Tempers extends Disposable {
  readonly mailboxes: readonly Mailbox[];
}

/** Eleven webhooks, which cannot be shared equally by two or three processes. */
const [steadyCount, slowCount, refusingCount] = [4, 4, 3];
const slowPart = 0.1;
const slowMsMax = 200;
const refusedPart = 0.05;

/** Use with `using`. */
export const createTempers = (random: () => number): Tempers => {
  const refused = new Set<string>();
  const nameOf = (path: string, id: string): string => `${path} ${id}`;
  const steady = createBoxes('steady', steadyCount, () => taken());
  const slow = createBoxes('slow', slowCount, async () => {
    if (random() < slowPart) await Bun.sleep(slowMsMax * random());
    return taken();
  });
  const refusing = createBoxes('refusing', refusingCount, (one) => {
    const name = nameOf(one.path, messageIdOf(one));
    if (random() >= refusedPart || refused.has(name)) return taken();
    refused.add(name);
    return new Response('no', { status: 500 });
  });
  const once = () => 1;
  return {
    mailboxes: [
      ...[...steady.boxes, ...slow.boxes].map((box) => ({ ...box, timesOwed: once })),
      ...refusing.boxes.map((box) => ({
        ...box,
        timesOwed: (id: string) => (refused.has(nameOf(new URL(box.url).pathname, id)) ? 2 : 1),
      })),
    ],
    [Symbol.dispose]: () => {
      for (const { receiver } of [steady, slow, refusing]) receiver[Symbol.dispose]();
    },
  };
};

const createBoxes = (temper: string, count: number, answer: (one: Received) => Response | Promise<Response>) => {
  const arrived = new Map<string, Received[]>();
  const receiver = createReceiver((one) => {
    arrived.get(one.path)?.push(one);
    return answer(one);
  });
  const boxes = Array.from({ length: count }, (_, index) => {
    const received: Received[] = [];
    arrived.set(`/${index}`, received);
    return { temper, url: new URL(`/${index}`, receiver.url).href, received };
  });
  return { receiver, boxes };
};
