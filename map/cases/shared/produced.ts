/** What a producer is asked to write: `PUT /plant` takes a body and returns it. */
import type { ProduceQuestion } from '../../measure/abilities/produce.ts';

const places = {
  body: '/paths/~1plant/put/requestBody/content/application~1json/schema',
  response: '/paths/~1plant/put/responses/200/content/application~1json/schema',
};

/** The body accepts one value, and refuses another that only the feature refuses. */
export const producesBody = (program: string, says: string, valid: unknown, invalid: unknown): ProduceQuestion => ({
  program,
  says: `PUT /plant takes and returns ${says}`,
  checks: Object.entries(places).flatMap(([name, pointer]) => [
    { check: `a valid ${name}`, pointer, instance: valid, isValid: true },
    { check: `an invalid ${name}`, pointer, instance: invalid, isValid: false },
  ]),
});

/** The document has the values at these places. */
export const producesValues = (
  program: string,
  says: string,
  values: Readonly<Record<string, readonly [pointer: string, value: unknown]>>,
): ProduceQuestion => ({
  program,
  says,
  checks: Object.entries(values).map(([check, [pointer, value]]) => ({ check, pointer, value })),
});
