/**
 * What Bun, Deno and Node do differently. Each runtime has one file with these members, and its resolver picks that file by the
 * conditions of `#runtime` in package.json: no code asks where it runs. Only this folder may use what one runtime alone has.
 */

export interface Runtime {
  readonly name: 'bun' | 'deno' | 'node';
  /** Without a `v`, such as `1.4.5`. */
  readonly version: string;
}
