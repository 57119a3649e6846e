export interface PageToken {
  /** The description next to the field for the token, in Markdown, instead of that in the document. */
  readonly hint: string;
  /** A public token that the page fills in. */
  readonly text?: string;
}

export interface PageOptions {
  readonly token?: PageToken | undefined;
  /** Whether the pages have a link to the console. */
  readonly hasConsole: boolean;
  /** Whether the pages have a link to the inbox. */
  readonly hasInbox: boolean;
}
