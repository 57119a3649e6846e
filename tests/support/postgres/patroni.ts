/**
 * Two PostgreSQL servers that Patroni manages, one of them the synchronous standby of the other, with an etcd, and an haproxy that
 * forwards to the primary. A keeper process ends all of it and removes the folder as soon as the process that started it has ended,
 * for any reason.
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../network/port.ts';
import { killIn, signalIn } from '../programs/folder-processes.ts';
import { etcdCommand, type NodeConfig, patroniConfig, proxyConfig } from './patroni-config.ts';
import { serverUser } from './postgres-cluster.ts';

export interface PatroniCluster extends AsyncDisposable {
  /** The URL with both servers in it. */
  readonly url: string;
  /** The URL that leads through haproxy. */
  readonly proxyUrl: string;
  /** Resolves to the primary and its synchronous standby, once there are both. */
  settled(): Promise<{ readonly primary: PatroniNode; readonly standby: PatroniNode }>;
}

export interface PatroniNode {
  readonly name: string;
  /** The URL of the server, whatever its role. */
  readonly url: string;
  /** Switches over to another node. Resolves once Patroni reports it as the primary. */
  switchTo(other: PatroniNode): Promise<void>;
  /** Kills the server and its Patroni together. */
  kill(): Promise<void>;
  /** Starts Patroni after `kill`, which starts the server. */
  start(): void;
  /** Stops the server and its Patroni with SIGSTOP, as a machine that hangs, until `kill`. */
  freeze(): void;
}

/** Starts a cluster with the PostgreSQL programs of the folder `bin`. Use with `await using`. */
export const startPatroni = async (bin: string): Promise<PatroniCluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-patroni-'));
  chmodSync(folder, 0o755);
  const keeper = Bun.spawn(['sh', '-c', keep, 'sh', folder], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' });
  keeper.unref();

  const etcdPort = await freePort();
  spawnIn(makeFolder(folder, 'etcd'), etcdCommand(etcdPort, await freePort()));

  const nodes: NodeConfig[] = [];
  for (const name of ['a', 'b']) {
    const node = { name, folder: makeFolder(folder, name), port: await freePort(), apiPort: await freePort() };
    nodes.push(node);
    writeFileSync(join(node.folder, configFile), JSON.stringify(patroniConfig(node, bin, etcdPort)));
    startNode(node);
    // The first one makes the data, which the other one copies.
    await untilRoles(nodes, (roles) => roles.length === nodes.length);
  }

  const proxyPort = await freePort();
  const proxyFolder = makeFolder(folder, 'haproxy');
  writeFileSync(join(proxyFolder, 'haproxy.cfg'), proxyConfig(nodes, proxyPort));
  spawnIn(proxyFolder, ['haproxy', '-db', '-f', 'haproxy.cfg']);

  const find = (roles: readonly Role[], role: string): PatroniNode | undefined => {
    const node = nodes.find(({ name }) => roles.some((one) => one.name === name && one.role === role));
    return node && toPatroniNode(node);
  };
  return {
    url: `postgres://plant@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/postgres`,
    proxyUrl: `postgres://plant@127.0.0.1:${proxyPort}/postgres`,
    settled: () =>
      untilRoles(nodes, (roles) => {
        const [primary, standby] = [find(roles, 'leader'), find(roles, 'sync_standby')];
        return primary && standby && { primary, standby };
      }),
    [Symbol.asyncDispose]: async () => {
      keeper.stdin.end();
      await keeper.exited;
    },
  };
};

/** Waits for the end of its stdin, which the system closes with the process that has the other end. */
const keep = `
  trap '' HUP INT TERM
  cat >/dev/null
  while
    found=
    for process in /proc/[0-9]*; do
      case $(readlink $process/cwd) in "$1"/*) found=yes; kill -KILL \${process#/proc/} ;; esac
    done
    [ $found ]
  do sleep 0.05; done
  rm -rf "$1"`;

const configFile = 'patroni.json';

const startNode = ({ folder }: NodeConfig): void => spawnIn(folder, ['patroni', configFile]);

const toPatroniNode = (node: NodeConfig): PatroniNode => ({
  name: node.name,
  url: `postgres://plant@127.0.0.1:${node.port}/postgres`,
  switchTo: async (other) => {
    const response = await fetch(`http://127.0.0.1:${node.apiPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: node.name, candidate: other.name }),
    });
    if (!response.ok) throw new Error(`Patroni refuses the switchover: ${response.status} ${await response.text()}`);
  },
  kill: () => killIn(node.folder),
  start: () => startNode(node),
  freeze: () => signalIn(node.folder, 'SIGSTOP'),
});

interface Role {
  readonly name: string;
  readonly role: string;
}

/** Waits until `choose` finds a result in the roles of the running nodes. Throws with their logs if that takes too long. */
const untilRoles = async <Result>(
  nodes: readonly NodeConfig[],
  choose: (roles: readonly Role[]) => Result | undefined | false,
): Promise<Result> => {
  const endsAtMs = performance.now() + untilRolesMsMax;
  while (performance.now() < endsAtMs) {
    const chosen = choose(await readRoles(nodes));
    if (chosen) return chosen;
    await Bun.sleep(50);
  }
  const logs = nodes.map(({ name, folder }) => `${name}:\n${readFileSync(join(folder, 'log'), 'utf8').slice(-2000)}`);
  throw new Error(`The cluster does not become ready.\n${logs.join('\n')}`);
};

const untilRolesMsMax = 120_000;

/** The roles of the running nodes, according to the first one that responds. */
const readRoles = async (nodes: readonly NodeConfig[]): Promise<Role[]> => {
  const answers = nodes.map(async ({ apiPort }) => {
    const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`, { signal: AbortSignal.timeout(1000) });
    const { members }: { members: (Role & { state: string })[] } = JSON.parse(await response.text());
    return members.filter(({ state }) => state === 'running');
  });
  return Promise.any(answers).catch(() => []);
};

const makeFolder = (parent: string, name: string): string => {
  const folder = join(parent, name);
  mkdirSync(folder, { mode: 0o700 });
  const user = serverUser();
  if (user) chownSync(folder, user.uid, user.gid);
  return folder;
};

/** Starts a program in this folder, as the user of the servers. What it prints goes to the file `log` there. */
const spawnIn = (folder: string, command: string[]): void => {
  const log = openSync(join(folder, 'log'), 'a');
  const env = { PATH: `${process.env['PATH']}`, LC_ALL: 'C', HOME: folder };
  Bun.spawn(command, { ...serverUser(), cwd: folder, env, stdio: ['ignore', log, log] }).unref();
};
