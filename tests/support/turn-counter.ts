/** Counts the turns of the event loop until it is disposed of. */
export const countTurns = () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  return { turns: () => turns, [Symbol.dispose]: (): void => clearImmediate(counting) };
};
