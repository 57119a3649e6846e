/** How long test files take, by their paths, in milliseconds: `bun test --timings` starts the slowest first. */
export type Durations = Readonly<Record<string, number>>;

/** The known durations of the files that exist, and for a new file that of as many bytes of the known ones. `bytes` has the size of each file. */
export const planDurations = (known: Durations, bytes: Durations): Durations => {
  const files = Object.keys(bytes).filter((file) => Object.hasOwn(known, file));
  const sum = (values: Durations): number => files.reduce((total, file) => total + (values[file] ?? 0), 0);
  const msPerByte = sum(known) / Math.max(1, sum(bytes));
  return Object.fromEntries(
    Object.entries(bytes)
      .map(([file, size]) => [file, Math.ceil(known[file] ?? size * msPerByte)] as const)
      .sort(([one, msOfOne], [other, msOfOther]) => msOfOther - msOfOne || one.localeCompare(other)),
  );
};
