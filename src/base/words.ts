/** Tells the words of a closed list from any other text. */
export const isOneOf =
  <Word extends string>(words: readonly Word[]) =>
  (text: string): text is Word =>
    words.some((word) => word === text);
