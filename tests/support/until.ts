/** Waits until it holds; a test that waits in vain runs into its own time limit. */
export const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await Bun.sleep(2);
};
