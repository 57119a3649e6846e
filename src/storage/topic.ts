/** What subscribers hear about: the log of events, or the webhooks and the requests for their deliveries. */
export type Topic = 'event' | 'webhook';

/** Calls the listener after a write that others may wait for. Returns a function that ends the subscription. */
export type Subscribe = (listener: (topic: Topic) => void) => () => void;
