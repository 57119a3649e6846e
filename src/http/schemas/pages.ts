/** The shape of a page of any list. */
import { integerText } from './kinds.ts';

const limitMax = 1000;
const limitDefault = 100;

/** The size of a page. */
export const limitOf = (what: string) =>
  integerText({
    minimum: 1,
    maximum: limitMax,
    default: limitDefault,
    description: `The largest number of ${what} to answer with. A page that reaches 1 MiB ends earlier, and \`Link\` leads to the rest.`,
    error: `The query parameter limit must be an integer from 1 to ${limitMax}.`,
  });
