/** The options of a run of the benchmark. Throws as `parseArgs` does, also for a value that is not a number. */
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    rows: { type: 'string', default: '10000000' },
    least: { type: 'string', default: '10000' },
    pictures: { type: 'boolean', default: false },
    'sync-delay': { type: 'string', default: '0' },
    messages: { type: 'string', default: '20000' },
    with: { type: 'string', default: '' },
    only: { type: 'string', multiple: true, default: [] },
    record: { type: 'string', default: '' },
    realtime: { type: 'boolean', default: false },
  },
});

const read = (
  name: Exclude<keyof typeof values, 'with' | 'only' | 'record' | 'realtime' | 'pictures'>,
  least: number,
): number => {
  const value = Number(values[name]);
  if (!(Number.isInteger(value) && value >= least))
    throw Object.assign(new TypeError(`--${name} must be an integer of at least ${least}.`), {
      code: 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE',
    });
  return value;
};

/** How long each load lasts. */
export const seconds = read('seconds', 1);
/** How often everything is measured. Figures are medians of the rounds. */
export const rounds = read('rounds', 1);
/** How many plants the large table has. */
export const rows = read('rows', 1000);
/** The smallest size of `growth`. */
export const least = read('least', 1000);
/** Whether `growth` measures a store in which each plant has a picture, and not one without pictures. */
export const withPictures = values.pictures;
/** The delay added to each sync of this machine. */
export const syncDelayMicroseconds = read('sync-delay', 0);
/** How many messages a turn sends, to all webhooks together. */
export const messages = read('messages', 100);
/** The folder of another checkout, which `versions` and `start` compare with this one. */
export const otherCheckout = values.with;
/** What the checkout is that `guard` adds to its history. Empty to compare it instead. */
export const what = values.record;
/** The loads that `versions` and `guard` measure, such as `create@128`. Empty for all. */
export const onlyLoads = values.only;
/** Whether the processes that `start` measures have priority over all others. */
export const isRealtime = values.realtime;
