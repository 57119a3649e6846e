import type { CaseText } from '../../measure/case.ts';

const xml = '/components/schemas/plant/properties/name/xml';

export const feature: CaseText = {
  name: '`nodeType` of XML',
  since: '3.2',
  meaning: 'A member is an element, an attribute, a text or a CDATA section of XML, or no node.',
  why: 'Text beside attributes in one element can be described, which OpenAPI 3.1 cannot.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.2.0.html#xml-object',
    quotes: ['One of `element`, `attribute`, `text`, `cdata`, or `none`, as explained under XML Node Types.'],
  },
  checks: {
    lint: [
      {
        check: 'a kind of node that does not exist',
        level: 'schema',
        pointer: `${xml}/nodeType`,
        value: 'comment',
        at: [xml],
      },
      {
        check: 'the kind twice, in the old form too',
        level: 'schema',
        pointer: `${xml}/attribute`,
        value: true,
        at: [xml],
      },
    ],
    resolve: [{ check: 'the kind of node', pointer: `${xml}/nodeType`, value: 'attribute' }],
    show: [{ check: 'the attribute in a sample', text: 'name="Monstera"' }],
  },
};
