/**
 * A separate network for the trial, whose hosts are network namespaces of Linux (network_namespaces(7)). The trial itself runs in
 * another namespace, which routes between them and drops packets during a cut. All of it ends with the trial.
 */
import { readlinkSync, writeFileSync } from 'node:fs';
import type { Host } from '../../support/network/host.ts';
import { until } from '../../support/until.ts';
import { skip, skipWithout } from './options.ts';

export interface Network {
  addHost(): Promise<Host>;
  /** Drops packets between these two until `heal`. The trial still reaches both. */
  cut(a: Host, b: Host, how: Cut): void;
  /** Ends all cuts. */
  heal(): void;
}

/** `silent`: packets are dropped. `refused`: the router responds that the host is unreachable. `deaf`: `a` sends, but receives nothing. */
export type Cut = 'silent' | 'refused' | 'deaf';

/**
 * Runs the trial again in a separate namespace, and ends with its exit code. There it returns the network. Skips the trial if this
 * machine does not allow it.
 */
export const enterNetwork = async (): Promise<Network> => {
  if (process.env['TRIAL_NETWORK'] !== 'own') return process.exit(await runInside());
  ip('link set lo up');
  allowRouting();
  let hosts = 0;
  let rules: string[] = [];
  return {
    addHost: async () => {
      hosts += 1;
      const [router, address, namespace] = [`10.77.${hosts}.1`, `10.77.${hosts}.2`, await createNamespace()];
      const enter = ['nsenter', `--net=/proc/${namespace}/ns/net`];
      ip(`link add host${hosts} type veth peer name uplink netns ${namespace}`);
      ip(`address add ${router}/30 dev host${hosts}`);
      ip(`link set host${hosts} up`);
      ip('link set lo up', enter);
      ip(`address add ${address}/30 dev uplink`, enter);
      ip('link set uplink up', enter);
      ip(`route add default via ${router}`, enter);
      return { address, enter };
    },
    cut: (a, b, how) => {
      const action = how === 'refused' ? 'unreachable' : 'blackhole';
      const made = [
        `from ${b.address} to ${a.address} ${action}`,
        ...(how === 'deaf' ? [] : [`from ${a.address} to ${b.address} ${action}`]),
      ];
      for (const rule of made) ip(`rule add ${rule}`);
      rules.push(...made);
    },
    heal: () => {
      for (const rule of rules) ip(`rule del ${rule}`);
      rules = [];
    },
  };
};

const runInside = async (): Promise<number> => {
  if (process.getuid?.() !== 0) skip('only root may make network namespaces');
  for (const tool of ['unshare', 'nsenter', 'ip']) skipWithout(tool);
  if (Bun.spawnSync(['unshare', '--net', 'true']).exitCode !== 0) skip('this machine allows no network namespaces');
  const env = { ...process.env, TRIAL_NETWORK: 'own' };
  const stdio: ['ignore', 'inherit', 'inherit'] = ['ignore', 'inherit', 'inherit'];
  return Bun.spawn(['unshare', '--net', process.execPath, ...process.argv.slice(1)], { env, stdio }).exited;
};

const allowRouting = (): void => {
  try {
    writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
  } catch (error) {
    skip(`this machine does not allow routing: ${error}`);
  }
};

/** Resolves to the id of a process that keeps the namespace, and ends with the trial: it waits for the end of its stdin. */
const createNamespace = async (): Promise<number> => {
  const { pid } = Bun.spawn(['unshare', '--net', 'cat'], { stdin: 'pipe', stdout: 'ignore' });
  const namespaceOf = (id: number | 'self') => readlinkSync(`/proc/${id}/ns/net`);
  await until(() => namespaceOf(pid) !== namespaceOf('self'));
  return pid;
};

const ip = (command: string, enter: readonly string[] = []): void => {
  const { exitCode, stderr } = Bun.spawnSync([...enter, 'ip', ...command.split(' ')]);
  if (exitCode !== 0) throw new Error(`ip ${command}: ${stderr}`);
};
