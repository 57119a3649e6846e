import { isIP } from 'node:net';
import { createNetworks } from './network.ts';

/** Whether a server that listens on this host is reachable only from this machine (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3, RFC 6761 §6.3). */
export const isLoopbackHost = (host: string): boolean => {
  switch (isIP(host)) {
    case 4:
      return loopback.check(host, 'ipv4');
    case 6:
      return loopback.check(host, 'ipv6');
    default:
      return /^localhost\.?$/i.test(host);
  }
};

const loopback = createNetworks(['127.0.0.0/8', '::1/128']);
