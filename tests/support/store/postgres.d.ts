// Only for a copy of the program without the engine: a file that exists has its own types.
declare module '*/postgres-engine.ts' {
  export const postgres: import('./engine.ts').BehaviourEngine;
  export const openPostgres: (
    url: string,
    options?: import('./engine.ts').OpenOptions,
  ) => Promise<import('../../../src/store/store.ts').Store>;
}
declare module '*/older-postgres.ts' {
  export const createOlderPostgres: (url: string, count: number) => Promise<void>;
}
