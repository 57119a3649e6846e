/**
 * The configuration of a cluster, as in the documentation of Patroni (https://patroni.readthedocs.io), but with shorter times. All
 * of it is on this machine.
 */
import { join } from 'node:path';

/** A PostgreSQL server and the Patroni that manages it. */
export interface NodeConfig {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  /** The port of Patroni's REST API. */
  readonly apiPort: number;
}

/** The command that starts etcd, which needs two ports. */
export const etcdCommand = (port: number, peerPort: number): string[] => {
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  return [
    ...['etcd', '--data-dir', 'data', '--initial-cluster', `default=${peerUrl}`],
    ...['--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
  ];
};

export const patroniConfig = ({ name, folder, port, apiPort }: NodeConfig, bin: string, etcdPort: number) => ({
  scope: 'plants',
  name,
  etcd3: { host: `127.0.0.1:${etcdPort}` },
  restapi: { listen: `127.0.0.1:${apiPort}`, connect_address: `127.0.0.1:${apiPort}` },
  bootstrap: {
    dcs: {
      // The time in seconds for which the lock of a silent leader prevents a promotion.
      ttl: 8,
      loop_wait: 1,
      retry_timeout: 3,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 100 } },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'data-checksums', 'no-sync'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: join(folder, 'data'),
    bin_dir: bin,
    pgpass: join(folder, 'pgpass'),
    authentication: { superuser: { username: 'plant' }, replication: { username: 'plant' } },
    basebackup: [{ checkpoint: 'fast' }, 'no-sync'],
    // No trial cuts the power of the machine, and what a killed server has written is still in the kernel's memory.
    parameters: { unix_socket_directories: '', fsync: false, dynamic_shared_memory_type: 'mmap' },
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
});

/** For an haproxy that forwards to the primary. */
export const proxyConfig = (nodes: readonly NodeConfig[], port: number): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, apiPort }) => `  server ${name} 127.0.0.1:${port} check port ${apiPort}\n`).join('')}`;
