/** The features and the verdicts of the map without their evidence, for the npm package. `features.schema.json` describes each member. */
import { readMapData } from './measure/data.ts';

export const readFeatures = async () => {
  const { features, tools } = await readMapData();
  return {
    $schema: './features.schema.json',
    features: features.map(({ document, beside, ...feature }) => feature),
    tools: tools.map(({ earlier, unasked, unmeasured, with: others, usage, ...tool }) => ({
      ...tool,
      verdicts: tool.verdicts.map(({ checks, control, reply, issue, ...verdict }) => verdict),
    })),
  };
};
