/**
 * The software bill of materials, in CycloneDX. The tool of CycloneDX reads the packages of the bundle from the metafile of the bundler.
 * This script adds the parts that the bundler cannot see: Bun with its libraries, and the packages in the scripts of the pages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import scalarLicences from '../src/pages/assets/scalar-licences.json';
import swaggerUiLicences from '../src/pages/assets/swagger-ui-licences.json';
import { librariesOfBun } from './bun.ts';
import { root, runBun } from './command.ts';
import { foldersOfConsole } from './licences.ts';
import { type Licence, type Package, packageIn } from './packages.ts';

interface Component {
  readonly type: 'library' | 'platform';
  readonly 'bom-ref'?: string;
  readonly group?: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly licenses: readonly { readonly license: { readonly id: string } | { readonly name: string } }[];
  readonly externalReferences?: readonly { readonly type: 'website'; readonly url: string }[];
  readonly components?: readonly Component[];
}

interface Sbom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string }; timestamp?: string };
  readonly components: Component[];
  readonly dependencies: { readonly ref: string; readonly dependsOn?: string[] }[];
}

/** Writes the SBOM of a build with this metafile. Its time is the day of the release, so that the SBOM is reproducible. */
export const writeSbom = (path: string, metafile: string, date: string): void => {
  const options = ['--bwd', root, '--output-reproducible', '--validate', '--output-file', path];
  runBun('node_modules/.bin/cyclonedx-esbuild', ...options, metafile);
  const sbom: Sbom = JSON.parse(readFileSync(path, 'utf8'));
  sbom.metadata.timestamp = `${date}T00:00:00Z`;
  const ofConsole = foldersOfConsole.map((folder) => ofPage([{ text: '', packages: [packageIn(folder)] }]));
  for (const component of [bun(), ...ofConsole, ofPage(scalarLicences), ofPage(swaggerUiLicences)])
    addDependency(sbom, component);
  writeFileSync(path, `${JSON.stringify(sbom, null, 2)}\n`);
};

const addDependency = ({ metadata, components, dependencies }: Sbom, component: Component & { 'bom-ref': string }) => {
  const ref = component['bom-ref'];
  const { dependsOn } = dependencies.find((one) => one.ref === metadata.component['bom-ref']) ?? {};
  if (dependsOn === undefined) throw new Error('The SBOM has no dependencies of the program.');
  components.push(component);
  dependsOn.push(ref);
  dependencies.push({ ref });
};

const bun = () => ({
  ...componentOf({ name: 'bun', version: Bun.version, license: 'MIT' }),
  type: 'platform' as const,
  'bom-ref': `bun@${Bun.version}`,
  components: librariesOfBun().map(
    ({ name, version, url, licence }): Component => ({
      type: 'library',
      name,
      ...(version !== undefined && { version }),
      licenses: [{ license: { name: licence } }],
      externalReferences: [{ type: 'website', url }],
    }),
  ),
});

/**
 * A script of the page is one file of the first package, which contains the others. That of swagger-ui-dist does not name the versions of
 * its packages, so they are not listed.
 */
const ofPage = (licences: readonly Licence[]) => {
  const [first, ...others] = licences.flatMap(({ packages }) => packages);
  if (first === undefined) throw new Error('There are no licences for a script of the page.');
  return {
    ...componentOf(first),
    'bom-ref': `${first.name}@${first.version}`,
    ...(others.length > 0 && { components: others.map(componentOf) }),
  };
};

const componentOf = ({ name, version, license }: Package): Component => {
  const [, group, nameInGroup = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  return {
    type: 'library',
    ...(group !== undefined && { group }),
    name: nameInGroup,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
  };
};
