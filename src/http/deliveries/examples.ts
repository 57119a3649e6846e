import { type Delivery, request } from '../../domain/delivery.ts';
import { deliveries, demoTime, fernCreatedDelivery, firstTest, webhook } from '../../domain/sample-data.ts';
import { type Examples, toExample } from '../schema.ts';
import { toBody } from './schemas.ts';

export const deliveryPages: Examples = {
  some: {
    summary: 'A pending delivery after a failed attempt, between two successful ones',
    value: deliveries.map((delivery) => toExample(toBody(delivery))).toReversed(),
  },
};

const requested = (delivery: Delivery): object => toExample(toBody(request(delivery, new Date(demoTime))));

export const tests: Examples = {
  test: {
    summary: 'A pending test',
    value: requested({ webhookId: webhook.id, event: firstTest, attempts: [], attemptsInRound: 0 }),
  },
};

export const redeliveries: Examples = {
  again: { summary: 'A pending redelivery', value: requested(fernCreatedDelivery) },
};
