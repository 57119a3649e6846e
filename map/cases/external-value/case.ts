import type { CaseText } from '../../measure/case.ts';

const example = '/paths/~1picture/get/responses/200/content/image~1svg+xml/examples/leaf';

export const feature: CaseText = {
  name: '`externalValue` of an example',
  since: '3.0',
  meaning: 'The value of an example is in another file, whose URL the example has.',
  why: 'A picture, or a body of a megabyte, is no part of the document.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#example-object',
    quotes: [
      'A URI that identifies the literal example. This provides the capability to reference examples that cannot easily be included in JSON or YAML documents. The `value` field and `externalValue` field are mutually exclusive.',
    ],
  },
  checks: {
    lint: [
      { check: 'a value beside it', level: 'document', pointer: `${example}/value`, value: '<svg/>', at: [example] },
      { check: 'a URL that is a number', level: 'document', pointer: `${example}/externalValue`, value: 5 },
    ],
    resolve: [{ check: 'the URL', pointer: `${example}/externalValue`, value: 'leaf.svg' }],
    show: [{ check: 'the URL', text: 'leaf.svg' }],
  },
};
