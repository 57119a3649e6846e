import { codeOf } from '../base/error.ts';
import type { Post } from '../runtime/runtime.ts';
import { post as postOnNode } from './post.ts';

/** Deno has this code for almost every certificate that it does not accept, also for one that has expired. */
const anyFault = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';

/** As on Node.js. The code for any fault of a certificate becomes `UNSPECIFIED`, the code of OpenSSL for an unknown fault. */
export const post: Post = async (request) => {
  try {
    return await postOnNode(request);
  } catch (error) {
    if (codeOf(error) !== anyFault) throw error;
    throw Object.assign(new Error('The certificate is not accepted.', { cause: error }), { code: 'UNSPECIFIED' });
  }
};
