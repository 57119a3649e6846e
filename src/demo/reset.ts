import { type Operations, operation } from '../http/operation.ts';

/** `POST /__demo/reset`, by any token. The service answers when everything is as it was at the start. */
export const createReset = (reset: () => Promise<void>): Operations => ({
  resetDemo: operation({
    route: 'POST /__demo/reset',
    summary: 'Reset the demo',
    description: 'Restores the data that the examples of the document name.',
    answers: { 204: { description: 'Everything is as it was at the start.' } },
    handler: () => async () => {
      await reset();
      return new Response(null, { status: 204 });
    },
  }),
});
