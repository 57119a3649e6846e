import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { SamplerName } from '../setting-values.ts';

export interface SamplerOptions {
  readonly sampler: SamplerName;
  /** The ratio of sampled traces, from 0 to 1, for the samplers with a ratio. */
  readonly samplerRatio: number;
}

/** The sampler with this name, as the settings of OpenTelemetry define it. */
export const createSampler = ({ sampler, samplerRatio }: SamplerOptions): Sampler => {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(samplerRatio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(samplerRatio) });
  }
};
