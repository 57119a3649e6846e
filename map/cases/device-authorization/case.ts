import type { CaseText } from '../../measure/case.ts';

const flow = '/components/securitySchemes/device/flows/deviceAuthorization';

export const feature: CaseText = {
  name: 'the flow `deviceAuthorization` of OAuth 2.0',
  since: '3.2',
  meaning: 'A device without a keyboard gets a code, and its user enters it on another device (RFC 8628).',
  why: 'A command line or a television gets a token without a browser of its own.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.2.0.html#oauth-flows-object',
    quotes: ['Configuration for the OAuth Device Authorization flow.'],
  },
  checks: {
    lint: [
      {
        check: 'a flow without its URL',
        level: 'document',
        pointer: `${flow}/deviceAuthorizationUrl`,
        value: undefined,
        at: [flow],
      },
      { check: 'a URL that is a number', level: 'document', pointer: `${flow}/deviceAuthorizationUrl`, value: 5 },
    ],
    resolve: [
      {
        check: 'the URL of the flow',
        pointer: `${flow}/deviceAuthorizationUrl`,
        value: 'https://plants.example/device',
      },
      { check: 'the scopes of the flow', pointer: `${flow}/scopes`, value: { read: 'To see all plants' } },
    ],
    show: [
      { check: 'the URL of the flow', text: 'https://plants.example/device' },
      { check: 'the scope of the flow', text: 'To see all plants' },
    ],
  },
};
