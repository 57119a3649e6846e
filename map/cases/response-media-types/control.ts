import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const { validate = [], typeCheck = [], call = [], respond = [] } = feature.checks;
const lines = 'planted\nwatered\n';

/** What is asked of JSON has no place in it. */
export const control: ControlText = {
  name: 'one media type',
  changes: { '/paths/~1events/get/responses/200/content/application~1json': undefined },
  checks: {
    validate: validate.filter(({ isBasic }) => !isBasic),
    typeCheck: typeCheck.filter(({ isBasic }) => !isBasic),
    call: call.filter(({ isBasic }) => !isBasic),
    respond: respond.filter(({ isBasic }) => !isBasic),
    test: {
      right: () => new Response(lines, { headers: { 'content-type': 'text/plain' } }),
      broken: [{ check: 'a server that answers wrong JSON', server: () => Response.json({ count: 'few' }) }],
    },
  },
};
