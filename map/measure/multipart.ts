/** The parts of a multipart body (RFC 7578) by their names, so that bodies with other boundaries and in another order are compared. */

export interface Part {
  readonly name: string;
  /** Omitted for `text/plain`, which a part has by default. */
  readonly contentType?: string;
  readonly value: string;
}

/** Undefined if the media type is not multipart. What has no name is no part. */
export const partsOf = (contentType: string, body: string): Part[] | undefined => {
  const boundary = /^multipart\/.*;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  if (boundary === null) return undefined;
  const [, quoted, plain = ''] = boundary;
  return body
    .split(`--${quoted ?? plain}`)
    .flatMap(partOf)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

const partOf = (text: string): Part[] => {
  const [, head = '', value = ''] = /^\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*?)\r?\n$/.exec(text) ?? [];
  const name = /^content-disposition:.*[; ]name="([^"]*)"/im.exec(head)?.[1];
  const contentType = /^content-type:\s*(.+?)\s*$/im.exec(head)?.[1];
  const isPlain = contentType === undefined || /^text\/plain\b/i.test(contentType);
  return name === undefined ? [] : [{ name, ...(!isPlain && { contentType }), value }];
};
