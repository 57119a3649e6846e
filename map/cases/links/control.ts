import type { Handler } from '../../measure/abilities/test.ts';
import type { ControlText } from '../../measure/case.ts';
import { refused } from '../shared/body.ts';
import { feature } from './case.ts';

const id = 7315948;

const serverOf =
  (found: unknown): Handler =>
  ({ method, target }) => {
    if (target === '/plants') return method === 'POST' ? Response.json({ id }) : new Response(null, { status: 405 });
    return target === `/plants/${id}` ? Response.json(found) : refused();
  };

export const control: ControlText = {
  name: 'an `example` of the id',
  changes: {
    '/paths/~1plants/post/responses/200/links': undefined,
    '/paths/~1plants~1{id}/get/parameters/0/example': id,
  },
  checks: {
    ...feature.checks,
    test: {
      right: serverOf({ id }),
      sends: feature.checks.test?.sends ?? [],
      broken: [{ check: 'a server that answers a wrong plant after the link', server: serverOf({ id: 'none' }) }],
    },
  },
};
