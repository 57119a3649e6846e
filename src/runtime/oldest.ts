/**
 * The check of the version of the runtime. An old runtime resolves the static imports of the whole program before it runs a line, and ends with
 * an error about the first name that it lacks. So `main.ts` imports nothing else statically, and both files have no recent syntax.
 */
import manifest from '../../package.json' with { type: 'json' };

type Versions = Readonly<Record<string, string | undefined>>;

const titles = { bun: 'Bun', deno: 'Deno', node: 'Node.js' } as const;

/** Ends the process with code 1 and one line on stderr when package.json requires a newer version. No runtime checks that itself. */
export const exitIfOld = (): void => {
  const host = processOf(globalThis);
  const message = faultOf(host.versions);
  if (message === undefined) return;
  console.error(`plant-store: ${message}`);
  host.exit(1);
};

interface Host {
  readonly versions: Versions;
  exit(code: number): void;
}

/** Deno 1 has no `process`. */
const processOf = ({
  process,
  Deno: deno,
}: {
  process?: Host;
  Deno?: { version: Versions; exit(code: number): void };
}): Host => process || (deno ? { versions: deno.version, exit: deno.exit } : { versions: {}, exit: () => {} });

/** The message for an old version. Bun and Deno also have the version of Node that they are compatible with. */
export const faultOf = (versions: Versions): string | undefined => {
  const name = versions['bun'] ? 'bun' : versions['deno'] ? 'deno' : 'node';
  const own = versions[name] || '0';
  const oldest = manifest.engines[name].slice('>='.length);
  // A comparison loads the tables of languages, which takes 0.5 ms of a start.
  if (own === oldest || own.localeCompare(oldest, 'en', { numeric: true }) >= 0) return undefined;
  return `${titles[name]} ${oldest} or later is required; this is ${titles[name]} ${own}.`;
};
