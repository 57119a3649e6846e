import { type Operations, operation } from '../http/operation.ts';

/** `POST /__demo/reset`, with any token. The service responds when all data are restored. */
export const createReset = (reset: () => Promise<void>): Operations => ({
  resetDemo: operation({
    route: 'POST /__demo/reset',
    summary: 'Reset the demo',
    description: 'Restores the data of the examples in the document.',
    answers: { 204: { description: 'All data are restored.' } },
    handler: () => async () => {
      await reset();
      return new Response(null, { status: 204 });
    },
  }),
});
