/** Which versions of OpenAPI a tool reads: each has a case whose document uses nothing else that is new. */
import { as30, type Case } from './case.ts';
import type { CheckResult } from './check.ts';
import { type OpenapiVersion, versions } from './operation.ts';
import type { Results } from './results.ts';

/** The id of the case of a version. */
const caseOf = (version: OpenapiVersion): string => `openapi-${version.replace('.', '-')}`;

export const isOfVersion = ({ id }: { readonly id: string }): boolean => versions.some((one) => caseOf(one) === id);

/** Whether the answer is a refusal of the whole document, however the tool is asked. */
export const isRefusal = ({ check, grade }: CheckResult): boolean =>
  grade === 'wrong' && (check === 'the document' || check === 'the valid document');

/** The versions whose case the tool refuses. */
export const refusedVersions = (answers: Results['answers']): OpenapiVersion[] =>
  versions.filter((version) => answers[caseOf(version)]?.checks.some(isRefusal));

/** A tool that reads only OpenAPI 3.0 is asked the features of 3.0 with the same document as 3.0.3. */
export const forVersionsOf = (feature: Case, answers: Results['answers']): Case => {
  const refused = refusedVersions(answers);
  const readsOnly30 = refused.includes('3.1') && !refused.includes('3.0');
  return feature.since === '3.0' && !isOfVersion(feature) && readsOnly30 ? as30(feature) : feature;
};
