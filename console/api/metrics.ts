/** The metrics of the service. */
import type { Api } from './api.ts';
import { expect } from './client.ts';
import { readSamples, type Sample } from './samples.ts';

export const getMetrics = async (api: Api): Promise<readonly Sample[]> => {
  const { data } = await expect(api.metrics.get());
  return readSamples(`${data}`);
};
