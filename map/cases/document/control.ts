import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'the document of the service in OpenAPI 3.0',
  ownDocument: 'openapi/openapi-3.0.json',
  changes: {},
  checks: feature.checks,
};
