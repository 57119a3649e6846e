/**
 * `bun run map --tool T --feature F --keep`: a folder for each time that the tool is asked, in `reports/kept/<tool>/<feature>/`. It has the
 * documents and the configurations, and `repeat.sh`, which gives the answers again that are not right, or all if each is. A copy of the
 * folder runs on another machine, which installs the tool in it, unless the tool was asked by a library or with a server of the map.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Adapter } from './adapter.ts';
import type { Case } from './case.ts';
import type { CheckResult } from './check.ts';
import { install, ownNpxOptions, ownPrograms, type Published } from './installation.ts';
import { type AskedSession, measure } from './measure.ts';
import { plainEnvironment, type Session } from './session.ts';
import { isOfCase } from './written-files.ts';

export interface Kept {
  readonly folder: string;
  readonly results: readonly CheckResult[];
}

/** What `bun run map again` reads. */
export interface Again {
  readonly tool: string;
  readonly version: string;
  readonly feature: string;
  readonly ability: string;
  readonly variant?: string;
  /** The document is that of OpenAPI 3.0.3. */
  readonly openapi: string;
}

export const againFile = 'again.json';

/** Measures into a folder, which is made anew. */
export const keep = async (
  adapter: Adapter,
  feature: Case,
  { version, root }: { readonly version: string; readonly root: string },
): Promise<Kept[]> => {
  rmSync(root, { recursive: true, force: true });
  const installation = await install(adapter, version);
  const all: Kept[] = [];
  // The folders are no part of this package, whose files are modules.
  await Bun.write(join(root, 'package.json'), '{}\n');
  let folders = 0;
  const folderOf = (ability: string): string => {
    folders += 1;
    return mkdir(join(root, `${folders}-${ability}`));
  };
  const asked = async ({ session, ability, variant, results }: AskedSession) => {
    const question = {
      tool: adapter.id,
      version,
      feature: feature.id,
      ability,
      ...(variant !== undefined && { variant }),
    };
    const again: Again = { ...question, openapi: `${feature.document['openapi']}` };
    await finish(session, adapter, results, again);
    all.push({ folder: session.folder, results: variant === undefined ? results : results.map(namedFor(variant)) });
  };
  await measure(adapter, installation, feature, { folderOf, asked });
  return all;
};

const mkdir = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  return folder;
};

const namedFor =
  (variant: string) =>
  (result: CheckResult): CheckResult => ({ ...result, check: `${result.check}, ${variant}` });

/** Takes away what the tool has made, but no link to the packages that its code imports, and writes how to make it again. */
const finish = async (session: Session, adapter: Adapter, results: readonly CheckResult[], again: Again) => {
  const { folder, file, files, drivers, runs, installation, beside } = session;
  const isLink = (name: string): boolean => lstatSync(file(name)).isSymbolicLink();
  const ours = [beside, files, drivers];
  const hasFiles = (name: string): boolean => [...beside.keys()].some((path) => path.startsWith(`${name}/`));
  const isOurs = (name: string): boolean =>
    isOfCase(name) || ours.some((one) => one.has(name)) || isLink(name) || hasFiles(name);
  for (const name of readdirSync(folder)) if (!isOurs(name)) rmSync(file(name), { recursive: true });
  const packages = join(installation.folder, 'node_modules');
  if (existsSync(packages) && !existsSync(file('node_modules'))) symlinkSync(packages, file('node_modules'));
  for (const name of readdirSync(installation.folder).filter((one) => one.endsWith('.jar')))
    symlinkSync(join(installation.folder, name), file(name.replace(/\.jar$/, `-${installation.version}.jar`)));
  await Bun.write(file(againFile), JSON.stringify(again, null, 2));
  await Bun.write(file('env.sh'), environmentOf(session, adapter));
  const answers = results.filter(({ grade }) => grade !== 'right');
  const output = runs.map(({ text }) => text).join('\n');
  // A driver may be built from a source that the next question of the tool replaces, and a copy of the folder has no path of the repository.
  const root = join(import.meta.dir, '../..');
  const isOwn = runs.every(({ command }) => !command.includes(root));
  // A library is asked by the repository, which runs no command for it.
  const isDirect =
    runs.length > 0 &&
    isOwn &&
    !isServed(session) &&
    !session.hasChangedOutput() &&
    answers.every(({ line = '' }) => line !== '' && hasLine(output, line));
  const comments = answers.map(({ check, observed, line = '' }) => `# ${onOneLine(`${check}: ${observed} ${line}`)}`);
  const { tool, feature } = again;
  const lines = isDirect
    ? [...withInstallation(adapter, installation.version, session), ...comments, ...runs.map(({ command }) => command)]
    : [
        `[ -d '${root}' ] || { echo 'It needs the repository of Plant Store: bun run map --tool ${tool} --feature ${feature} --keep'; exit 2; }`,
        '. ./env.sh',
        ...comments,
        `bun run --cwd '${root}' map again "$PWD"`,
      ];
  await Bun.write(file('repeat.sh'), ['cd "$(dirname "$0")" || exit', ...lines, ''].join('\n'));
};

/** `env.sh` has what is installed beside the repository. In a copy of the folder elsewhere, the tool is installed into it. */
const withInstallation = (adapter: Adapter, version: string, session: Session): string[] => {
  return [
    'if ! [ -f env.sh ] || ! . ./env.sh; then',
    ...installationOf(adapter, version, usesBun(session)).map((line) => `  ${line}`),
    ...variablesOf(session).map((line) => `  ${line}`),
    'fi',
  ];
};

const usesBun = ({ runs }: Session): boolean => runs.some(({ command }) => /(?:^|&& )bun /.test(command));

/** Lines of a shell that install the version of a tool into the folder, unless it is there. */
export const installationOf = (
  { registry, package: name, with: others }: Published,
  version: string,
  usesBun = false,
): string[] => {
  const packages = Object.entries({ [name]: version, ...others });
  const joined = (separator: string) => packages.map(([one, its]) => `${one}${separator}${its}`).join(' ');
  switch (registry) {
    case 'npm': {
      const all = `${joined('@')}${usesBun ? ` bun@${Bun.version}` : ''}`;
      const install = `npm install --prefix . --no-save --no-audit --no-fund --loglevel=error ${all}`;
      return [
        `[ -e node_modules/.bin ] || { rm -f node_modules && ${install}; } || exit`,
        'export PATH="$PWD/node_modules/.bin:$PATH"',
      ];
    }
    case 'pypi':
      return [
        `[ -e .venv/bin ] || { python3 -m venv .venv && .venv/bin/pip install --quiet ${joined('==')}; } || exit`,
        'export PATH="$PWD/.venv/bin:$PATH"',
      ];
    case 'go':
      return [`GOBIN="$PWD/bin" go install ${name}@v${version} || exit`, 'export PATH="$PWD/bin:$PATH"'];
    case 'cargo':
      return [
        `[ -e bin ] || cargo install --quiet --locked --root . --version ${version} ${name} || exit`,
        'export PATH="$PWD/bin:$PATH"',
      ];
    case 'maven':
      // A link to a jar that is not there.
      return [
        'for jar in *.jar; do [ -e "$jar" ] || rm -f "$jar"; done',
        ...packages.map(([one, its]) => `mvn -q dependency:copy -Dartifact=${one}:${its} -DoutputDirectory=. || exit`),
      ];
  }
};

const variablesOf = ({ runs }: Session): string[] =>
  Object.entries(Object.assign({}, plainEnvironment, ...runs.map(({ env }) => env))).map(
    ([name, value]) => `export ${name}='${value}'`,
  );

/** The programs of the tool come first in the path, and those of the repository are called where they are. It fails where there are none. */
const environmentOf = (session: Session, { registry }: Adapter): string => {
  const { folder } = session.installation;
  const bin = { npm: 'node_modules/.bin', pypi: '.venv/bin', go: 'bin', cargo: 'bin', maven: '.' }[registry];
  return [
    `[ -d '${folder}' ] || return 1`,
    `export PATH="${join(folder, bin)}:$PATH"`,
    ...variablesOf(session),
    ...(session.runs.some(({ command }) => command.includes('npx ')) ? [npx] : []),
    ...(usesBun(session) ? [`bun() { '${process.execPath}' "$@"; }`] : []),
    '',
  ].join('\n');
};

/** The messages of a runtime differ: what was installed runs with the one that was measured with. */
const npx = `npx() {
  if [ "$1 $2" = '${ownNpxOptions}' ]; then program=$4; shift 4; '${ownPrograms}'/"$program" "$@"; return; fi
  if [ "$1" = -p ]; then shift 2; program=$1; else program=\${1%@*}; program=\${program##*/}; fi
  shift
  '${process.execPath}' "node_modules/.bin/$program" "$@"
}`;

/** Whether the tool was asked with a server of the map, which has ended. */
const isServed = ({ runs, commands, drivers }: Session): boolean =>
  [...commands, ...runs.map(({ command }) => command), ...drivers.values()].some((text) => text.includes('127.0.0.1'));

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/**
 * Whether the output has the line. White space, quotes and escapes differ between a line and JSON, and `error:` between runtimes. Ports, the
 * bodies that a tester makes up, and the addresses that libopenapi-validator gives to schemas differ from run to run.
 */
export const hasLine = (output: string, line: string): boolean => {
  const plain = (text: string) =>
    text
      .replaceAll(/127\.0\.0\.1:\d+/g, 'host')
      .replaceAll(/file:\/\/[\da-f]{16}(?=#)/g, 'schema')
      .replaceAll(/[\s"'`\\…]/g, '')
      .replaceAll('error:', 'Error:');
  const withoutBody = line.replace(/(the server answers \d+ to \w+ \S+).*/s, '$1');
  return withoutBody.split(' … ').every((part) => plain(output).includes(plain(part).slice(0, lineLengthMax)));
};

const lineLengthMax = 120;
