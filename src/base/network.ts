/** Networks in CIDR notation, such as `10.0.0.0/8` or `fd00::/8`; a single address is a network of one. */
import { BlockList, isIP } from 'node:net';

/** Whether the text is a network, but not one of all addresses. */
export const isNetwork = (text: string): boolean => {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/([1-9]\d{0,2}))?$/i.exec(text) ?? [];
  return isIP(address) !== 0 && Number(bits ?? 1) <= bitsOf(address);
};

/** A set of networks. `check` returns whether an address is in one of them. */
export const createNetworks = (texts: readonly string[]): BlockList => {
  const networks = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/');
    networks.addSubnet(address, Number(bits ?? bitsOf(address)), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return networks;
};

const bitsOf = (address: string): number => (isIP(address) === 6 ? 128 : 32);
