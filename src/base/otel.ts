/**
 * The values of OpenTelemetry's settings (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables). For
 * each, `words` is the end of a sentence that begins with "must be", and `read` returns undefined for an invalid text.
 */

export const collector = {
  words: 'an http or https URL without parameters, such as http://127.0.0.1:4318',
  read: (text: string): string | undefined => (text === '' || isCollectorUrl(text) ? text : undefined),
};

export type Pairs = Readonly<Record<string, string>>;

export const pairs = {
  words: 'a comma-separated list of key=value, with percent-encoded values',
  read: (text: string): Pairs | undefined => {
    const items = text.split(',').filter((item) => item.trim() !== '');
    const found = items.flatMap((item) => {
      const [, key, value = ''] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(item) ?? [];
      const decoded = decode(value);
      return key === undefined || decoded === undefined ? [] : [[key, decoded] as const];
    });
    return found.length === items.length ? Object.fromEntries(found) : undefined;
  },
};

/** The names are in lower case. */
export const headers = {
  words: `${pairs.words}, of HTTP headers`,
  read: (text: string): Pairs | undefined => {
    try {
      const found = pairs.read(text);
      return found && Object.fromEntries(new Headers(found));
    } catch {
      return undefined;
    }
  },
};

export const serviceName = {
  words: 'a name',
  read: (text: string): Pairs => (text === '' ? {} : { 'service.name': text }),
};

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];

export const sampler = {
  words: `one of ${samplerNames.join(', ')}`,
  read: (text: string): SamplerName | undefined => samplerNames.find((known) => known === text),
};

/** From 0 to 1. */
export const ratio = {
  words: 'a number from 0 to 1, such as 0.1',
  read: (text: string): number | undefined =>
    /^\d*\.?\d+$/.test(text) && Number(text) <= 1 ? Number(text) : undefined,
};

/** Whether a path can be added to it. */
const isCollectorUrl = (text: string): boolean => /^https?:\/\/[^?#]+$/.test(text) && URL.canParse(text);

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
