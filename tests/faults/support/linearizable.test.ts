/** The checker of the history check, on histories whose verdict is obvious. */
import { expect, test } from 'bun:test';
import { isLinearizable, type Operation } from './linearizable.ts';

const answered = (sentAt: number, answeredAt: number, operation: Partial<Operation>): Operation => ({
  method: 'GET',
  sentAt,
  answeredAt,
  ...operation,
});
const post = (at: number, name: string, status = 200) =>
  answered(at, at + 1, { method: 'POST', name, status, ...(status === 200 && { seen: name }) });
const patch = (at: number, name: string, ifMatch?: string, status = 200) =>
  answered(at, at + 1, { method: 'PATCH', name, ifMatch, status, ...(status === 200 && { seen: name }) });
const get = (at: number, seen: string) => answered(at, at + 1, { seen, status: 200 });
const missing = (at: number) => answered(at, at + 1, { status: 404 });
const remove = (at: number, status = 204) => answered(at, at + 1, { method: 'DELETE', status });
const put = (at: number, name: string, status = 201) => answered(at, at + 1, { method: 'PUT picture', name, status });
const getPicture = (at: number, seen: string) => answered(at, at + 1, { method: 'GET picture', seen, status: 200 });
const withoutPicture = (at: number) => answered(at, at + 1, { method: 'GET picture', status: 404 });
const removePicture = (at: number) => answered(at, at + 1, { method: 'DELETE picture', status: 204 });
const unanswered = (at: number, operation: Partial<Operation>) => answered(at, Number.POSITIVE_INFINITY, operation);

test.each<[string, Operation[]]>([
  ['nothing', []],
  ['one after the other', [missing(0), post(2, 'a'), post(4, 'b', 409), get(6, 'a'), remove(8), missing(10)]],
  ['a create that is sent again', [post(0, 'a'), post(2, 'a')]],
  ['a create that is sent again after a picture', [post(0, 'a'), put(2, 'p'), post(4, 'a')]],
  [
    'two concurrent changes, of which one fails',
    [post(0, 'a'), patch(2, 'b', 'a'), patch(2, 'c', 'a', 412), get(4, 'b')],
  ],
  ['a read during a change, of either state', [post(0, 'a'), patch(2, 'b'), get(2, 'a'), get(2, 'b')]],
  ['no response, and it took effect', [unanswered(0, { method: 'POST', name: 'a' }), get(2, 'a')]],
  ['no response, and it took effect late', [unanswered(0, { method: 'POST', name: 'a' }), missing(2), get(4, 'a')]],
  [
    'a picture that is put, replaced, kept by a change, and removed',
    [
      post(0, 'a'),
      put(2, 'p'),
      put(4, 'q', 204),
      { ...patch(6, 'b', 'a q'), seen: 'b q' },
      getPicture(8, 'q'),
      removePicture(10),
      get(12, 'b'),
    ],
  ],
  ['no response, and no effect', [unanswered(0, { method: 'POST', name: 'a' }), missing(2), post(4, 'b')]],
])('a history has an order that explains it: %s', (_what, history) => {
  expect(isLinearizable(history)).toBe(true);
});

test.each<[string, Operation[]]>([
  ['a plant that was never created', [get(0, 'a')]],
  ['a create that is lost', [post(0, 'a'), missing(2)]],
  ['a read of the previous state', [post(0, 'a'), patch(2, 'b'), get(4, 'a')]],
  ['a state that comes and goes', [post(0, 'a'), patch(2, 'b'), get(4, 'b'), get(6, 'a')]],
  ['a lost update', [post(0, 'a'), patch(2, 'b', 'a'), patch(2, 'c', 'a')]],
  ['a condition that fails although it is true', [post(0, 'a'), patch(2, 'b', 'a', 412)]],
  ['a conflict without another plant', [post(0, 'a', 409)]],
  ['a change whose response has the previous state', [post(0, 'a'), { ...patch(2, 'b'), seen: 'a' }]],
  ['a plant that is removed twice', [post(0, 'a'), remove(2), remove(4)]],
  ['no response, and the effect is undone', [unanswered(0, { method: 'POST', name: 'a' }), get(2, 'a'), missing(4)]],
  ['a picture that is lost', [post(0, 'a'), put(2, 'p'), withoutPicture(4)]],
  ['a picture that its plant does not know', [post(0, 'a'), put(2, 'p'), getPicture(4, 'p'), get(6, 'a')]],
  ['a picture of other bytes', [post(0, 'a'), put(2, 'p'), getPicture(4, 'q')]],
  ['a picture that is left by its plant', [post(0, 'a'), put(2, 'p'), remove(4), post(6, 'b'), getPicture(8, 'p')]],
  [
    'no response, and it took effect twice',
    [post(0, 'a'), unanswered(2, { method: 'PATCH', name: 'b' }), get(4, 'b'), patch(6, 'c'), get(8, 'b')],
  ],
])('a history has no order that explains it: %s', (_what, history) => {
  expect(isLinearizable(history)).toBe(false);
});
