/** The types of OpenTelemetry's settings (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables). */
import { tryTo } from '../base/error.ts';
import { hasControl } from '../base/text.ts';
import { type Kind, oneOf, parseUrl } from './setting-values.ts';

/** A path can be added to it. Empty for none. */
export const collector: Kind<string> = {
  words: 'an http or https URL without parameters, such as http://127.0.0.1:4318',
  read: (text) =>
    text === '' || (/^https?:\/\/[^\s?#]+$/.test(text) && parseUrl(text) !== undefined) ? text : undefined,
  show: (value) => value.replace(/\/\/[^/]*@/, '//…@'),
};

export type Pairs = Readonly<Record<string, string>>;

export const pairs: Kind<Pairs> = {
  words: 'a comma-separated list of key=value, with percent-encoded values',
  read: (text) => {
    const items = text.split(',').filter((item) => item.trim() !== '');
    const found = items.flatMap((item) => {
      const [, key, value = ''] = /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(item) ?? [];
      const decoded = tryTo(() => decodeURIComponent(value));
      return key === undefined || decoded === undefined ? [] : [[key, decoded] as const];
    });
    return found.length === items.length ? Object.fromEntries(found) : undefined;
  },
};

/** The names are in lower case. */
export const exportHeaders: Kind<Pairs> = {
  words: `${pairs.words}, of HTTP headers`,
  read: (text) => {
    const found = pairs.read(text);
    return found && tryTo(() => Object.fromEntries(new Headers(found)));
  },
  show: (value) =>
    Object.keys(value)
      .map((name) => `${name}=…`)
      .join(', '),
};

export const serviceName: Kind<string> = {
  words: 'a name without control characters',
  read: (text) => (hasControl(text) ? undefined : text),
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

export const sampler = oneOf(samplerNames);

export const ratio: Kind<number> = {
  words: 'a number from 0 to 1, such as 0.1',
  read: (text) => (/^\d*\.?\d+$/.test(text) && Number(text) <= 1 ? Number(text) : undefined),
};
