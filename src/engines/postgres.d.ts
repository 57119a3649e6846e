// Only for a copy of the program without this engine: a file that exists has its own types.
declare module '*/postgres/engine.ts' {
  export const engine: import('../store/engine.ts').Engine;
}
