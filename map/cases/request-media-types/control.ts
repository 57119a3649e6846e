import type { ControlText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';
import { feature } from './case.ts';

const { validate = [], typeCheck = [], test } = feature.checks;
const mergePatch = 'application/merge-patch+json';

/** What is asked of JSON has no place in it. */
export const control: ControlText = {
  name: 'one media type',
  changes: { '/paths/~1plant/patch/requestBody/content/application~1json': undefined },
  checks: {
    validate: validate.filter(({ contentType, isBasic }) => contentType === mergePatch && !isBasic),
    typeCheck: typeCheck.filter(({ contentType }) => contentType === mergePatch),
    call: (feature.variants ?? []).flatMap(({ checks }) => checks.call ?? []),
    test: {
      right: ({ headers, body }) =>
        headers['content-type'] === mergePatch && typeof membersOf(body)?.['reason'] === 'string'
          ? new Response(null, { status: 204 })
          : refused(),
      sends: (test?.sends ?? []).filter(({ isBasic }) => !isBasic),
    },
  },
};
