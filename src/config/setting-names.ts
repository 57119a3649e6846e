/**
 * Finds misspelt settings in an environment, which also has variables of other programs. A variable counts as misspelt if it begins like a
 * setting, or has almost its name.
 */
import { settings } from './settings.ts';

export interface MisspeltSetting {
  /** Of the variable. */
  readonly name: string;
  /** The setting with the most similar name. Omitted if none is similar. */
  readonly similar?: string;
}

/** Variables that are empty count too. */
export const misspeltSettings = (env: Readonly<Record<string, string | undefined>>): readonly MisspeltSetting[] => {
  const names = Object.keys(env);
  const links = linkedServices(names);
  return names.flatMap((name) => {
    if (known.includes(name) || links.some((link) => name.startsWith(link))) return [];
    const similar = similarTo(name);
    if (similar !== undefined) return [{ name, similar }];
    return beginsLikeSetting.test(name) ? [{ name }] : [];
  });
};

const known: readonly string[] = Object.values(settings).map(({ name }) => name);

/** Without what the variables of others begin with: `NODE_`, `OTEL_`, and such as `HOST_`, `PORT_`, `READ_`, `EVENT_` and `CONSOLE_`. */
const beginsLikeSetting = /^(?:CORS|DATABASE|LOG|RATE_LIMIT|SHUTDOWN|TRUSTED|WEBHOOK)_/;

/** Kubernetes and Docker name the addresses of other services so, such as `WEBHOOK_SERVICE_HOST` and `DATABASE_PORT_5432_TCP`. */
const linkedServices = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => {
    const [, service] = /^(.+_)(?:SERVICE_HOST|PORT_\d+_(?:TCP|UDP|SCTP))$/.exec(name) ?? [];
    return service === undefined ? [] : [service];
  });

const similarTo = (name: string): string | undefined => {
  const letters = lettersOf(name.replace(/^PLANT_?STORE_/i, ''));
  return known.find((setting) => {
    const wanted = lettersOf(setting);
    // Of a short name, many others differ in one letter: `PORT` and `SORT`.
    const differencesMax = Math.min(2, Math.floor((wanted.length - 1) / 5));
    return distance(letters, wanted, differencesMax) <= differencesMax;
  });
};

const lettersOf = (name: string): string => name.toUpperCase().replaceAll(/[_-]/g, '');

/** How many letters must be added, removed or replaced (Levenshtein), or more than `max`. */
const distance = (from: string, to: string, max: number): number => {
  if (Math.abs(from.length - to.length) > max) return max + 1;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let end = 1; end <= to.length; end += 1)
      next.push(
        Math.min((row[end] ?? 0) + 1, (next[end - 1] ?? 0) + 1, (row[end - 1] ?? 0) + (to[end - 1] === letter ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
};
