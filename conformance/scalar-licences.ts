/**
 * Prints the licences of the packages whose code is in the script of the page, as JSON for `src/pages/assets/scalar-licences.json`.
 * The source map of the script has the names and versions of these packages. The texts come from the packages that are installed
 * here. Some of these have a newer version.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Licence, licenceTextIn, type Package, packageIn } from '../release/packages.ts';

const modules = join(import.meta.dir, 'node_modules');
const script = join(modules, '@scalar/api-reference');

/** The licences of Scalar, and then of third-party packages. */
export const createScalarLicences = (): readonly Licence[] => {
  // The package of the script has no licence file. It is from one repository with @scalar/themes.
  const scalar = { text: licenceTextIn(join(modules, '@scalar/themes')), packages: [packageIn(script)] };
  const folders = installedFolders();
  const others = Map.groupBy(packagesInScript(), ({ name }) => licenceTextIn(folderOf(name, folders)));
  return [scalar, ...[...others].map(([text, packages]) => ({ text, packages: packages.map(withLicence) }))];

  function withLicence({ name, version }: Omit<Package, 'license'>): Package {
    return { name, version, license: packageIn(folderOf(name, folders)).license };
  }
};

/** The third-party packages, sorted. The map has the paths of pnpm, such as `.pnpm/@lezer+lr@1.4.2/node_modules/@lezer/lr/`. */
const packagesInScript = (): readonly Omit<Package, 'license'>[] => {
  const { sources } = JSON.parse(readFileSync(join(script, 'dist/browser/standalone.js.map'), 'utf8')) as {
    sources: readonly string[];
  };
  const versions = new Map<string, string>();
  for (const source of sources) {
    const [, version, name] = /\.pnpm\/@?[^@/]+@([^_/]+)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
    if (version !== undefined && name !== undefined) versions.set(name, version);
    else if (source.includes('node_modules')) throw new Error(`${source} is in no known package.`);
  }
  return [...versions].map(([name, version]) => ({ name, version })).sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** The folders of all installed packages, by their names. */
const installedFolders = (): Map<string, readonly string[]> => {
  const isPackage = /(?:^|node_modules\/)((?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/;
  const paths = [...new Bun.Glob('**/package.json').scanSync(modules)].filter((path) => isPackage.test(path)).sort();
  return Map.groupBy(paths, (path) => isPackage.exec(path)?.[1] ?? '');
};

const folderOf = (name: string, folders: Map<string, readonly string[]>): string => {
  const [path] = folders.get(name) ?? [];
  if (path === undefined) throw new Error(`${name} is in the script of the page. Add it to conformance/package.json.`);
  return join(modules, dirname(path));
};

if (import.meta.main) console.log(JSON.stringify(createScalarLicences(), null, 2));
