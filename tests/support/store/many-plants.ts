import type { Store } from '../../../src/store/store.ts';

/** Creates plants with the ids from 1 to `count`, in one transaction, with an event each. */
export const createMany = async ({ plants }: Pick<Store, 'plants'>, count: number): Promise<void> => {
  const many = Array.from({ length: count }, (_, index) => ({ id: BigInt(index + 1), name: 'n' }));
  await plants.putAll((put) => put(many, 'leave'));
};
