// What an import of such a file gets, by its attribute: a text, or a path.
declare module '*.bash' {
  const text: string;
  export default text;
}

declare module '*.zsh' {
  const text: string;
  export default text;
}

declare module '*.fish' {
  const text: string;
  export default text;
}

declare module '*.gz' {
  /** The path of the file, also inside the binary. */
  const path: string;
  export default path;
}
