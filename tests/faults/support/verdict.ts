/** The result of a trial: it collects faults during the trial, and ends with a table and an exit code. */
export interface Verdict {
  readonly expect: (isMet: boolean, fault: string) => void;
  /** Prints the table, and each kind of fault once, and ends the process: with 1 if there was a fault. */
  readonly end: (tried: Readonly<Record<string, string | number>>) => never;
}

export const createVerdict = (): Verdict => {
  const faults: string[] = [];
  return {
    expect: (isMet, fault) => {
      if (!isMet) faults.push(fault);
    },
    end: (tried) => {
      console.table([{ ...tried, faults: faults.length }]);
      for (const fault of new Set(faults)) console.error(fault);
      process.exit(faults.length === 0 ? 0 : 1);
    },
  };
};
