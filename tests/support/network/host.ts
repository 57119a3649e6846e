/** The host of a program of the tests: this machine, or one of its network namespaces. */
export interface Host {
  readonly address: string;
  /** The prefix of a command on this host: nsenter(1) with its options, or nothing. */
  readonly enter: readonly string[];
}

export const thisHost: Host = { address: '127.0.0.1', enter: [] };
