/** Where a program of the tests runs: this machine, or a network namespace of it. */
export interface Host {
  readonly address: string;
  /** What comes before a command that runs there: nsenter(1) with its options, if anything. */
  readonly enter: readonly string[];
}

export const thisHost: Host = { address: '127.0.0.1', enter: [] };
