/** The badges of a tool: how many of the features that it was tried on it reads right. */
import { makeBadge } from 'badge-maker';
import type { FeatureData, ToolData } from '../measure/data.ts';
import { countsOf } from './verdicts.ts';

export interface Badge {
  readonly path: string;
  readonly label: string;
  readonly message: string;
}

/** One for OpenAPI 3.1 with what 3.0 had already, and one for what is new in 3.2. A version without a verdict has none. */
export const badgesOf = (tool: ToolData, features: readonly FeatureData[]): Badge[] =>
  (['3.1', '3.2'] as const).flatMap((version) => {
    const ids = features.filter(({ since }) => (since === '3.2') === (version === '3.2')).map(({ id }) => id);
    const verdicts = tool.verdicts.filter(({ feature }) => ids.includes(feature));
    const counts = countsOf(verdicts);
    const asked = verdicts.length - counts.version;
    const message = asked === 0 ? 'version refused' : `${counts.right} of ${asked} right`;
    return verdicts.length === 0
      ? []
      : [{ path: `tools/${tool.id}-${version}.svg`, label: `OpenAPI ${version}`, message }];
  });

export const renderBadge = ({ label, message }: Badge): string =>
  makeBadge({ label, message, color: '#1f6b4a', labelColor: '#3b443e', style: 'flat' });
