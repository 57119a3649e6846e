/**
 * An image of the service, built by buildah(1) from `deploy/Dockerfile`, and containers of it, run by runc(8). Both are packages of
 * Debian. The base image is assembled by mmdebstrap(1), so no image is pulled from a registry.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '../../..');

export interface Image {
  /** The folder of its files. */
  readonly files: string;
  readonly config: ImageConfig;
}

/** The configuration from the Dockerfile, in the form of a Docker image (https://github.com/moby/docker-image-spec). */
interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly ExposedPorts: Readonly<Record<string, unknown>>;
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** Unpacks the packages of Debian 12 that a build needs into the file, a tar. Rejects when they cannot be downloaded. */
export const assembleBase = (file: string): Promise<string> =>
  output(['mmdebstrap', '--quiet', '--variant=extract', `--include=${ofBuild}`, 'bookworm', file]);

const ofBuild = 'bash,coreutils,dash,findutils,grep,libc-bin';

/** Builds the image of `dist/` on this base. All its files are in the folder. */
export const buildImage = async (base: string, folder: string): Promise<Image> => {
  // The driver vfs works on every file system, and mounts nothing.
  const store = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const buildah = (...args: string[]): Promise<string> => output(['buildah', ...store, ...args]);
  const builder = await buildah('from', 'scratch');
  await buildah('add', builder, base, '/');
  await buildah('commit', '--quiet', builder, 'localhost/base');
  const dockerfile = ['--file', join(root, 'deploy/Dockerfile'), '--build-arg', 'BASE=localhost/base'];
  const isolation = ['--runtime', 'runc', '--network', 'none'];
  await buildah(
    'build',
    '--quiet',
    '--format',
    'docker',
    ...isolation,
    ...dockerfile,
    '--tag',
    'plant-store',
    join(root, 'dist'),
  );
  const container = await buildah('from', '--pull-never', 'localhost/plant-store');
  const files = await buildah('mount', container);
  const { Docker } = JSON.parse(await buildah('inspect', container));
  const config: ImageConfig = Docker.config;
  return { files, config };
};

export interface Container extends AsyncDisposable {
  /** Runs a command in it, as the user of the image, and resolves to its output and exit code. */
  exec(args: readonly string[]): Promise<{ readonly exitCode: number; readonly stdout: string }>;
  /** The id of its process on the host. */
  pid(): Promise<number>;
  kill(signal: string): Promise<string>;
  readonly exited: Promise<number>;
  /** Its complete log; resolves when it has ended. */
  readonly log: Promise<string>;
}

export interface RunOptions {
  /** The folder that is its volume. */
  readonly volume: string;
  readonly env: readonly string[];
  /** The command to run instead of that of the image. */
  readonly command?: readonly string[];
}

/**
 * Runs the image as a careful operator does: with a read-only root, one volume, no capabilities and no new
 * privileges. It has the network of the machine. Use with `await using`.
 */
export const runContainer = (
  { files, config }: Image,
  folder: string,
  { volume, env, command = config.Cmd }: RunOptions,
): Container => {
  const id = `plant-store-${process.pid}-${performance.now().toFixed(0)}`;
  const bundle = join(folder, id);
  const runc = ['runc', '--root', join(folder, 'runc')];
  mkdirSync(bundle);
  const [uid, gid] = config.User.split(':').map(Number);
  const [mount = ''] = Object.keys(config.Volumes);
  const specification = {
    ociVersion: '1.0.2',
    process: {
      user: { uid, gid },
      args: [...config.Entrypoint, ...command],
      env: [...config.Env, ...env],
      cwd: config.WorkingDir,
      capabilities: {},
      noNewPrivileges: true,
    },
    root: { path: files, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      { destination: mount, type: 'bind', source: volume, options: ['bind', 'rw'] },
    ],
    linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
  };
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(specification));
  const child = Bun.spawn([...runc, 'run', '--bundle', bundle, id], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const log = child.stderr.text();
  return {
    exec: async (args) => {
      const inside = Bun.spawn([...runc, 'exec', id, ...args], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });
      const [stdout, exitCode] = await Promise.all([inside.stdout.text(), inside.exited]);
      return { stdout: stdout.trim(), exitCode };
    },
    pid: async () => JSON.parse(await output([...runc, 'state', id])).pid,
    kill: (signal) => output([...runc, 'kill', id, signal]),
    exited: child.exited,
    log,
    [Symbol.asyncDispose]: async () => {
      // runc has removed a container that has ended.
      if (child.exitCode === null) await output([...runc, 'delete', '--force', id]);
      await child.exited;
    },
  };
};

/** Resolves to its stdout. Rejects with its stderr if it fails. */
const output = async (command: readonly string[]): Promise<string> => {
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${command[0]}: ${stderr.trim()}`);
  return stdout.trim();
};
