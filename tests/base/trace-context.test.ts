import { expect, test } from 'bun:test';
import { currentTrace, readTraceparent, traceIdOf, withTrace } from '../../src/base/trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const ids = `${traceId}-00f067aa0ba902b7`;

test.each([
  [`00-${ids}-01`, `00-${ids}-01`],
  [`00-${ids}-00`, `00-${ids}-00`],
  [`00-${ids}-03`, `00-${ids}-03`],
  [`00-${ids}-ff`, `00-${ids}-03`],
  [`cc-${ids}-05`, `00-${ids}-01`],
  [`cc-${ids}-01-future-field`, `00-${ids}-01`],
])('the traceparent %s is propagated as %s', (header, propagated) => {
  expect(readTraceparent(header)).toBe(propagated);
});

test.each([
  null,
  '',
  '00',
  `ff-${ids}-01`,
  `0-${ids}-01`,
  `00-${ids}`,
  `00-${ids}-1`,
  `00-${ids}-01-more`,
  `00-${ids}-01.`,
  `cc-${ids}-01more`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${ids.toUpperCase()}-01`,
  `00-${ids}-0G`,
  `00-${ids}-01, 00-${ids}-01`,
  ` 00-${ids}-01`,
])('the traceparent %p is not valid', (header) => {
  expect(readTraceparent(header)).toBeUndefined();
});

test('the trace id is the second field of a traceparent', () => {
  expect(traceIdOf(`00-${ids}-01`)).toBe(traceId);
});

test('each request has its own trace, also after an await', async () => {
  const handle = async (): Promise<unknown[]> => {
    const first = currentTrace();
    await null;
    return [first, currentTrace()];
  };
  const handled = ['1', '2', undefined].map((trace) => withTrace(trace, handle));
  expect(currentTrace()).toBeUndefined();
  expect(await Promise.all(handled)).toEqual([
    ['1', '1'],
    ['2', '2'],
    [undefined, undefined],
  ]);
  expect(await withTrace('1', () => withTrace(undefined, handle))).toEqual([undefined, undefined]);
});
