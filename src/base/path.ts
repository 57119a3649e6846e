/**
 * Whether the text is the path of a file. One that may be an address is not, since its password would become a part of a name: a URL, even
 * a misspelt or encoded one, a connection string of libpq, or `user:password@host`. A path with the same characters must begin with a folder.
 */
export const isPath = (text: string): boolean =>
  !text.includes('://') && (beginsWithFolder.test(text) || !ofAddresses.test(text));

/** For a message that refuses a text, which it does not repeat. */
export const pathAdvice = 'if it is a path, begin it with a folder, such as ./';

/** `./`, `../`, `C:\`, or an absolute path whose first folder has nothing of an address. */
const beginsWithFolder = /^(?:\.{1,2}\/|[a-z]:[\\/]|\/[^/:=@%]+\/(?!\/))/i;

/** Quotation marks that belong to the value are as in the file of `docker --env-file`. */
const ofAddresses = /[:=@]|\/\/|%[\da-f]{2}|^\s*["'`]/i;
