/**
 * The tool at one version, in `map/.tools/<tool>@<version>/`. A tool of npm that `map/package.json` pins at that version is used from there.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

export type Registry = 'npm' | 'pypi' | 'go' | 'cargo' | 'maven';

/** Where a tool is published, and what it needs. */
export interface Published {
  readonly registry: Registry;
  readonly package: string;
  readonly version: string;
  /** Programs that the machine must have, beside those of the registry: `chromium`. */
  readonly needs?: readonly string[];
  /** Other packages that are installed with it, of the same registry, by name with their versions. */
  readonly with?: Readonly<Record<string, string>>;
  /** How a user calls it, for evidence. Where the adapter runs commands of the tool, these are shown instead. */
  readonly usage?: string;
}

type Tool = Published & { readonly id: string };

export interface Installation {
  readonly version: string;
  /** How a user calls a tool that has no command. */
  readonly usage: string;
  /** Where its packages are. */
  readonly folder: string;
  /** The command that runs a program of the tool, or of the machine if the tool has none of that name. */
  readonly program: (name: string) => string[];
  /** The same, as a user would type it. */
  readonly shown: (name: string) => string;
  readonly import: <T>(name: string) => Promise<T>;
}

/** Why a tool is not measured here. */
export class NotInstalled extends Error {
  override readonly name = 'NotInstalled';
}

const map = join(import.meta.dir, '..');

export const install = async (tool: Tool, version = tool.version): Promise<Installation> => {
  for (const program of [...(tool.needs ?? []), programsOf[tool.registry]])
    if (Bun.which(program) === null) throw new NotInstalled(`${program} is not installed`);
  const packages = { [tool.package]: version, ...tool.with };
  const folder = isPinned(tool.registry, packages) ? map : join(map, '.tools', `${tool.id}@${version}`);
  const done = join(folder, '.installed');
  if (folder !== map && (!existsSync(done) || readFileSync(done, 'utf8') !== JSON.stringify(packages))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await installers[tool.registry](folder, packages);
    await Bun.write(done, JSON.stringify(packages));
  }
  return installationIn(folder, tool, version);
};

const programsOf: Readonly<Record<Registry, string>> = {
  npm: 'bun',
  pypi: 'python3',
  go: 'go',
  cargo: 'cargo',
  maven: 'mvn',
};

type Packages = Readonly<Record<string, string>>;

const installers: Readonly<Record<Registry, (folder: string, packages: Packages) => Promise<void>>> = {
  npm: async (folder, packages) => {
    await Bun.write(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
    await execute(folder, process.execPath, 'install');
  },
  pypi: async (folder, packages) => {
    await execute(folder, 'python3', '-m', 'venv', '.venv');
    const names = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
    await execute(folder, '.venv/bin/pip', 'install', '--quiet', ...names);
  },
  // A module for libraries and for what generated code imports; its commands are installed too.
  go: async (folder, packages) => {
    await execute(folder, 'go', 'mod', 'init', 'map');
    for (const [name, version] of Object.entries(packages)) {
      await execute(folder, 'go', 'get', `${name}@v${version}`);
      await execute(folder, 'go', 'install', name).catch(() => undefined);
    }
    // A later package may change what is compiled, and the first question would wait for it. Some modules have no package.
    for (const name of Object.keys(packages))
      await execute(folder, 'go', 'build', '-mod=mod', name).catch(() => undefined);
  },
  // A library becomes a dependency of a package, which has the driver of the adapter.
  cargo: async (folder, packages) => {
    await execute(folder, 'cargo', 'init', '--quiet', '--vcs', 'none', '--name', 'driver', '.');
    for (const [name, version] of Object.entries(packages)) {
      const options = ['--quiet', '--locked', '--root', '.', '--version', version, name];
      await execute(folder, 'cargo', 'install', ...options).catch((error) => {
        if (!`${error}`.includes('library crate')) throw error;
        return execute(folder, 'cargo', 'add', '--quiet', `${name}@=${version}`);
      });
    }
    // Compiles the libraries here: the first question would wait for them.
    await execute(folder, 'cargo', 'build', '--quiet');
  },
  // A program has its packages in its jar. Those of a library are copied beside it.
  maven: async (folder, packages) => {
    const libraries = Object.entries(packages).filter(([name]) => !name.endsWith('-cli'));
    for (const [name, version] of Object.entries(packages).filter(([name]) => name.endsWith('-cli')))
      await execute(
        folder,
        'mvn',
        '-q',
        'dependency:copy',
        `-Dartifact=${name}:${version}`,
        '-DoutputDirectory=.',
        '-Dmdep.stripVersion',
      );
    if (libraries.length === 0) return;
    await Bun.write(join(folder, 'pom.xml'), projectOf(libraries));
    await execute(folder, 'mvn', '-q', 'dependency:copy-dependencies', '-DoutputDirectory=.', '-DincludeScope=runtime');
  },
};

const projectOf = (libraries: readonly (readonly [name: string, version: string])[]): string => {
  const dependencies = libraries.map(([name, version]) => {
    const [group, artifact] = name.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>map</groupId>
  <artifactId>map</artifactId>
  <version>1</version>
  <dependencies>${dependencies.join('')}</dependencies>
</project>
`;
};

const execute = async (cwd: string, ...command: string[]): Promise<void> => {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...process.env, GOBIN: join(cwd, 'bin') },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new NotInstalled(`${command.join(' ')}: ${`${stdout}${stderr}`.trim().split('\n').at(-1)}`);
};

/** Whether `map/package.json` has all of the packages. */
const isPinned = (registry: Registry, packages: Packages): boolean => {
  const { devDependencies } = JSON.parse(readFileSync(join(map, 'package.json'), 'utf8'));
  return registry === 'npm' && Object.entries(packages).every(([name, version]) => devDependencies[name] === version);
};

/** The programs of the packages of this repository, which no tool brings. */
export const ownPrograms = join(map, '../node_modules/.bin');

/** The options of `npx` for such a program, and for none of a tool. */
export const ownNpxOptions = '--yes -p';

/** A program of this repository by its name: the path is on no other machine. */
const shownProgram = (path: string): string => {
  if (path === process.execPath) return 'bun';
  if (!path.startsWith(ownPrograms)) return path;
  const [package_ = ''] = /(?<=\/node_modules\/)(?:@[^/]+\/)?[^/]+(?=\/)/.exec(realpathSync(path)) ?? [];
  const { version } = JSON.parse(readFileSync(join(ownPrograms, '..', package_, 'package.json'), 'utf8'));
  return `npx ${ownNpxOptions} ${package_}@${version} ${basename(path)}`;
};

const installationIn = (folder: string, tool: Tool, version: string): Installation => {
  const { registry, package: name } = tool;
  const bins = { npm: 'node_modules/.bin', pypi: '.venv/bin', go: 'bin', cargo: 'bin', maven: '.' }[registry];
  const own = (program: string): string | undefined => {
    const path = join(folder, bins, registry === 'maven' ? `${program}.jar` : program);
    return existsSync(path) ? path : undefined;
  };
  return {
    version,
    usage: tool.usage ?? name,
    folder,
    program: (program) => {
      const path = own(program);
      if (path === undefined) return [Bun.which(program) ?? program];
      if (registry === 'maven') return ['java', '-jar', path];
      return registry === 'npm' ? [process.execPath, path] : [path];
    },
    shown: (program) => {
      if (own(program) === undefined) return shownProgram(program);
      if (registry === 'maven') return `java -jar ${program}-${version}.jar`;
      if (registry !== 'npm') return program;
      return name.split('/').at(-1) === program ? `npx ${name}@${version}` : `npx -p ${name}@${version} ${program}`;
    },
    import: (imported) => import(Bun.resolveSync(imported, folder)),
  };
};
