/** The versions of OpenAPI, and which features belong to each. */
import type { FeatureData } from '../measure/data.ts';

export type Version = FeatureData['since'];

const versions: readonly Version[] = ['3.0', '3.1', '3.2'];

export interface VersionGroup {
  readonly version: Version;
  readonly features: readonly FeatureData[];
}

/** The versions that added features, each with what it added. */
export const byVersion = (features: readonly FeatureData[]): VersionGroup[] =>
  versions
    .map((version) => ({ version, features: features.filter(({ since }) => since === version) }))
    .filter((group) => group.features.length > 0);
