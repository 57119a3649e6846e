/** Keeps the values that `make` returns, by their keys. Before there are more than `max`, all of them are dropped. */
export const memoize = <Value>(max: number, make: (key: string) => Value): ((key: string) => Value) => {
  const made = new Map<string, { readonly value: Value }>();
  return (key) => {
    const existing = made.get(key);
    if (existing) return existing.value;
    if (made.size === max) made.clear();
    const value = make(key);
    made.set(key, { value });
    return value;
  };
};
