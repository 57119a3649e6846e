/** The paths of the files if they are in the program, as in a binary. It is empty if the program is installed with them. */
export type EmbeddedAssets = readonly string[];
