/** The app on a new store with the sample data, as it is in the demo, but with other times and identifiers. */
import { fill } from '../../../src/demo/fill.ts';
import { eventIdOf, type Sequenced } from '../../../src/events/event.ts';
import { fernCreated, sequoiaCreated } from '../../../src/events/sample.ts';
import { demoToken } from '../../../src/tokens/sample.ts';
import { openTestStore } from '../store/engines.ts';
import { createTestApp, jsonOf, type TestApp } from './app.ts';

/** Requests have the token `demo`. In their paths, the identifiers of events in the document lead to the same events. */
export const createSampleApp = async (): Promise<TestApp> => {
  const store = await openTestStore();
  await fill(store, () => undefined);
  const app = await createTestApp({ store });
  const events: readonly { readonly eventId: string }[] = await jsonOf(await app.send('GET', '/events'));
  const idOf = ({ sequence }: Sequenced): string => events[Number(sequence) - 1]?.eventId ?? '';
  const send: TestApp['send'] = (method, path, options) => {
    const changed = [sequoiaCreated, fernCreated].reduce(
      (text, event) => text.replace(eventIdOf(event), idOf(event)),
      path,
    );
    return app.send(method, changed, { authorization: `Bearer ${demoToken}`, ...options });
  };
  return { ...app, token: demoToken, send };
};
