/**
 * What `/etc/hosts` and `/etc/resolv.conf` say about names, by hosts(5) and resolv.conf(5). A missing file is as an empty one. The name servers
 * and the options about them are not read here.
 */
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';

export interface ResolverFiles {
  readonly hosts: string;
  readonly resolvConf: string;
}

const systemFiles: ResolverFiles = { hosts: '/etc/hosts', resolvConf: '/etc/resolv.conf' };

export const createResolverNames = ({ hosts, resolvConf }: ResolverFiles = systemFiles) => {
  const addresses = readWhenChanged(hosts, parseHosts);
  const search = readWhenChanged(resolvConf, parseSearch);
  return {
    /** The addresses of a name in `/etc/hosts`. Those of `localhost` need no file (RFC 6761 §6.3). */
    addressesOf: (name: string): readonly string[] =>
      addresses().get(name.toLowerCase()) ?? (localhostForm.test(name) ? loopback : []),

    /** The names to look up by DNS, in their order: the name, and the same inside each search domain. */
    namesFor: (name: string): readonly string[] => {
      const { domains, dotsMin } = search();
      const inDomains = domains.map((domain) => `${name}.${domain}`);
      return name.split('.').length > dotsMin ? [name, ...inDomains] : [...inDomains, name];
    },
  };
};

const localhostForm = /^(?:.*\.)?localhost$/i;
const loopback = ['127.0.0.1', '::1'];

const parseHosts = (text: string): ReadonlyMap<string, readonly string[]> => {
  const addresses = new Map<string, string[]>();
  for (const [address = '', ...names] of fieldsOf(text)) {
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      addresses.set(key, [...(addresses.get(key) ?? []), address]);
    }
  }
  return addresses;
};

interface Search {
  readonly domains: readonly string[];
  /** A name with fewer dots is first looked up inside the domains. */
  readonly dotsMin: number;
}

const parseSearch = (text: string): Search => {
  const [, ...ownDomain] = hostname().split('.');
  let domains = [ownDomain.join('.')];
  let dotsMin = 1;
  for (const [keyword = '', ...values] of fieldsOf(text)) {
    if (keyword === 'search' || keyword === 'domain') domains = values;
    if (keyword !== 'options') continue;
    for (const value of values) dotsMin = Number(/^ndots:(\d{1,2})$/.exec(value)?.[1] ?? dotsMin);
  }
  return { domains: domains.map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== ''), dotsMin };
};

/** The words of each line, without comments. */
const fieldsOf = (text: string): string[][] =>
  text.split('\n').flatMap((line) => {
    const words = line
      .replace(/[#;].*/, '')
      .split(/\s+/)
      .filter(Boolean);
    return words.length === 0 ? [] : [words];
  });

/** Reads the file again when it has changed. */
const readWhenChanged = <Value>(path: string, parse: (text: string) => Value): (() => Value) => {
  let read: { readonly state: string; readonly value: Value } | undefined;
  return () => {
    const { ino, size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const state = `${ino} ${size} ${mtimeMs}`;
    if (read?.state !== state) read = { state, value: parse(textOf(path)) };
    return read.value;
  };
};

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
