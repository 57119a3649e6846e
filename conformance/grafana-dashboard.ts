/** Prints the dashboard of `deploy/` as TypeScript, so that the compiler checks it against the types of Grafana. */
import { join } from 'node:path';

const json = await Bun.file(join(import.meta.dir, '../deploy/grafana-dashboard.json')).text();

console.log(`import type { Dashboard } from '@grafana/schema';

/** In JSON, a member of a string enum is its string. */
type Plain<Type> = Type extends string
  ? \`\${Type}\`
  : Type extends object
    ? { [Name in keyof Type]: Plain<Type[Name]> }
    : Type;

export const dashboard: Plain<Dashboard> = ${json};`);
