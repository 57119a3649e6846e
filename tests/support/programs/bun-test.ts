/**
 * What tests of the store use of bun:test, for Node and Deno. Tests run one after the other, in their order, with the hooks of all groups that
 * they are in.
 */
import { expect } from 'expect';

export { expect };

type Run = (...values: never[]) => unknown;
type Hook = () => unknown;

interface Group {
  readonly name: string;
  readonly parent: Group | undefined;
  readonly hooks: Record<'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll', Hook[]>;
  /** Groups and tests, in their order. */
  readonly members: (Group | { readonly name: string; readonly run: Hook })[];
}

const createGroup = (name: string, parent?: Group): Group => ({
  name,
  parent,
  hooks: { beforeAll: [], beforeEach: [], afterEach: [], afterAll: [] },
  members: [],
});

let current = createGroup('');

const addHook = (kind: keyof Group['hooks']) => (hook: Hook) => void current.hooks[kind].push(hook);
export const beforeAll = addHook('beforeAll');
export const beforeEach = addHook('beforeEach');
export const afterEach = addHook('afterEach');
export const afterAll = addHook('afterAll');

/** The same for each row, whose values are the arguments. A name has `%s` or `$member`, as in Bun. */
const withEach = (define: (name: string, run: Hook) => void) =>
  Object.assign(define, {
    each: (rows: readonly unknown[]) => (name: string, run: Run) => {
      for (const row of rows) {
        const values = Array.isArray(row) ? row : [row];
        const named = name.replace(/\$(\w+)/g, (_, member) => `${Reflect.get(Object(row), member)}`);
        const rest = values.values();
        define(
          named.replace(/%[sd]/g, () => `${rest.next().value}`),
          () => run(...(values as never[])),
        );
      }
    },
  });

const defineGroup = withEach((name, define) => {
  const group = createGroup(name, current);
  current.members.push(group);
  current = group;
  define();
  current = group.parent ?? group;
});

/** Tests that Bun runs at the same time run one after the other here. */
export const describe = Object.assign(defineGroup, { concurrent: defineGroup });

/** Loads a file. Its own hooks are for its tests alone. */
export const loadTests = async (name: string, load: () => Promise<unknown>): Promise<void> => {
  const group = createGroup(name, current);
  current.members.push(group);
  current = group;
  await load();
  current = group.parent ?? group;
};

const defineTest = withEach((name, run) => void current.members.push({ name, run }));

export const test = Object.assign(
  defineTest,
  { concurrent: defineTest },
  { skipIf: (isSkipped: boolean) => (isSkipped ? withEach(() => {}) : test) },
);

const systemDate = Date;

/** Without a time, it is that of the system again. */
export const setSystemTime = (now?: Date): void => {
  if (!now) {
    globalThis.Date = systemDate;
    return;
  }
  const aheadMs = now.getTime() - systemDate.now();
  globalThis.Date = class extends systemDate {
    static override now = () => systemDate.now() + aheadMs;
    constructor(...values: []) {
      super(...(values.length > 0 ? values : ([systemDate.now() + aheadMs] as unknown as [])));
    }
  } as DateConstructor;
};

const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
const systemTimers = { setTimeout, clearTimeout, setInterval, clearInterval };
interface StoppedTimer {
  dueMs: number;
  readonly everyMs: number | undefined;
  readonly run: Hook;
  readonly unref: () => StoppedTimer;
}
const stoppedTimers = new Set<StoppedTimer>();
let stoppedAtMs = 0;

const addTimer =
  (isRepeated: boolean) =>
  (run: Run, ms: number, ...values: never[]): StoppedTimer => {
    const timer: StoppedTimer = {
      dueMs: stoppedAtMs + ms,
      everyMs: isRepeated ? ms : undefined,
      run: () => run(...values),
      unref: () => timer,
    };
    stoppedTimers.add(timer);
    return timer;
  };
/** It may have been started before the clock was stopped. */
const removeTimer = (timer: StoppedTimer & NodeJS.Timeout): void => {
  if (!stoppedTimers.delete(timer)) clearTimeout(timer);
};

/** The timers and the monotonic clock of a test. The promises of node:timers remain those of the system. */
export const jest = {
  useFakeTimers: (): void => {
    stoppedAtMs = performance.now();
    performance.now = () => stoppedAtMs;
    const [setTimeout, setInterval] = [addTimer(false), addTimer(true)];
    Object.assign(globalThis, { setTimeout, setInterval, clearTimeout: removeTimer, clearInterval: removeTimer });
  },
  advanceTimersByTime: (ms: number): void => {
    const endMs = stoppedAtMs + ms;
    for (;;) {
      const [next] = [...stoppedTimers].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs);
      if (!next) break;
      stoppedAtMs = Math.max(stoppedAtMs, next.dueMs);
      if (next.everyMs === undefined) stoppedTimers.delete(next);
      else next.dueMs += next.everyMs;
      next.run();
    }
    stoppedAtMs = endMs;
  },
  useRealTimers: (): void => {
    stoppedTimers.clear();
    Reflect.deleteProperty(performance, 'now');
    Object.assign(globalThis, systemTimers);
  },
};

export interface TestResult {
  readonly name: string;
  /** Absent if it has passed. */
  readonly error?: string;
}

/** Runs the tests of all loaded files. Groups and tests that are not wanted are left out. */
export const runTests = async (isWanted: (name: string) => boolean): Promise<TestResult[]> => {
  const results: TestResult[] = [];
  const runGroup = async (group: Group, path: readonly Group[]): Promise<void> => {
    const groups = [...path, group];
    for (const hook of group.hooks.beforeAll) await hook();
    for (const member of group.members.filter(({ name }) => isWanted(name))) {
      if ('members' in member) await runGroup(member, groups);
      else results.push(await runTest(member, groups));
    }
    for (const hook of group.hooks.afterAll) await hook();
  };
  await runGroup(current, []);
  return results;
};

const runTest = async ({ name, run }: { name: string; run: Hook }, groups: readonly Group[]): Promise<TestResult> => {
  const result = { name: [...groups.map((group) => group.name), name].filter((part) => part !== '').join(' > ') };
  try {
    for (const { hooks } of groups) for (const hook of hooks.beforeEach) await hook();
    try {
      await run();
    } finally {
      for (const { hooks } of groups.toReversed()) for (const hook of hooks.afterEach) await hook();
    }
    return result;
  } catch (error) {
    return { ...result, error: error instanceof Error ? `${error.stack}` : `${error}` };
  }
};
