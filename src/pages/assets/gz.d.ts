// What an import of such a file gets.
declare module '*.gz' {
  /** The path of the file, also inside the binary. */
  const path: string;
  export default path;
}
