/** Clients that read the document when they run, in this process. */
import type { CallAnswer, CallQuestion } from '../../measure/abilities/call.ts';
import { exactJson } from '../../measure/exact-json.ts';

/** Bigints become numbers, as everywhere in such a client. */
export const callEach = (
  questions: readonly CallQuestion[],
  call: (question: CallQuestion) => Promise<unknown>,
): Promise<CallAnswer[]> =>
  Promise.all(
    questions.map(async (question) => {
      try {
        const value = await call(JSON.parse(exactJson(question)));
        return value === undefined ? {} : { value: exactJson(value) };
      } catch (error) {
        return { error: `${error}` };
      }
    }),
  );
