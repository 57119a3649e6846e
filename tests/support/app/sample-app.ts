/** The app on a new store with the sample data, as it is in the demo, but with other times and identifiers. */
import { fill } from '../../../src/demo/fill.ts';
import { eventIdOf } from '../../../src/events/event.ts';
import { demoToken, fernCreated, webhook } from '../../../src/sample-data.ts';
import { openTestStore } from '../store/engines.ts';
import { createTestApp, jsonOf, type TestApp } from './app.ts';

/** Requests have the token `demo`. In their paths, the identifier of the delivery in the document leads to the same delivery. */
export const createSampleApp = async (): Promise<TestApp> => {
  const store = await openTestStore();
  await fill(store, () => undefined);
  const app = await createTestApp({ store });
  const listed = await jsonOf(await app.send('GET', `/webhooks/${webhook.id}/deliveries`));
  const oldest: string = listed.at(-1).id;
  const send: TestApp['send'] = (method, path, options) =>
    app.send(method, path.replace(encodeURIComponent(eventIdOf(fernCreated)), oldest), {
      authorization: `Bearer ${demoToken}`,
      ...options,
    });
  return { ...app, token: demoToken, send };
};
