/** The versions that were measured, each with what it changed from the version before. */
import type { MapData, ToolData } from '../measure/data.ts';
import { type Step, stepsOf } from '../measure/history.ts';

export interface Release {
  /** In that version. */
  readonly tool: ToolData;
  /** When it was first and last measured. */
  readonly since: string;
  readonly updated: string;
  /** Undefined for the oldest version. */
  readonly step?: Step;
}

/** The newest version first. */
export const releasesOfTool = (tool: ToolData, { date }: Pick<MapData, 'date'>): Release[] => {
  const versions = [tool, ...tool.earlier.map((one) => ({ ...tool, ...one }))];
  const steps = stepsOf(versions);
  return versions.map((version) => {
    const dates = version.verdicts.map((verdict) => verdict.date).sort();
    const step = steps.find(({ to }) => to === version.version);
    return { tool: version, since: dates[0] ?? date, updated: dates.at(-1) ?? date, ...(step && { step }) };
  });
};

/** Of all tools, the last measured first. */
export const releasesOf = (data: MapData): Release[] =>
  data.tools
    .flatMap((tool) => releasesOfTool(tool, data))
    .sort((a, b) => b.updated.localeCompare(a.updated) || a.tool.name.localeCompare(b.tool.name, 'en'));
