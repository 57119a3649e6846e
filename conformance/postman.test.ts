/** Postman imports the document, and its collection runs unchanged against the demo. */
import { expect, test } from 'bun:test';
import { demoToken as token } from '../src/tokens/sample.ts';
import { conform } from '../tests/support/document/conformance.ts';
import { exampleRequests } from './example-requests.ts';
import { startFreshDemo } from './fresh-demo.ts';
import { runPostman } from './postman.ts';

test.each([
  { parameters: 'all parameters', isComplete: true },
  { parameters: 'the required parameters', isComplete: false },
])(
  'each request of the collection that Postman generates from the document succeeds with $parameters',
  async ({ isComplete }) => {
    await using demo = await startFreshDemo();
    const executions = await runPostman({ url: demo.url, token, isComplete });
    const answered = await Promise.all(executions.map(({ request, response }) => conform(request, response)));
    const expected = exampleRequests(isComplete).map(
      ({ operationId, response }) => `${operationId} ${response.status}`,
    );
    // Postman uses the first example of a body, and a user chooses the file of an upload. It has the requests in folders.
    expect(answered.toSorted()).toEqual([...new Set([...expected, 'putPicture 400'])].sort());
  },
);
