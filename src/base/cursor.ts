/**
 * A cursor marks a place in a list by the last item of a page, so it stays valid while items are added or removed. It is opaque to
 * clients: its kind, the position and a CRC-32, in base64url.
 */
import { crc32 } from 'node:zlib';

/** The list of a cursor. Other lists reject it. */
export type CursorKind = 'plants';

export const encodeCursor = (kind: CursorKind, position: bigint): string => {
  const bytes = Buffer.alloc(lengthBytes);
  bytes.writeUInt8(kinds[kind], 0);
  bytes.writeBigInt64BE(position, 1);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 9)), 9);
  return bytes.toString('base64url');
};

/** Absent unless the text is exactly what `encodeCursor` returns for this kind. */
export const decodeCursor = (kind: CursorKind, text: string): bigint | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== lengthBytes) return undefined;
  const position = bytes.readBigInt64BE(1);
  return encodeCursor(kind, position) === text ? position : undefined;
};

/** One byte of kind, eight of position, four of checksum. */
const lengthBytes = 13;
const kinds: Readonly<Record<CursorKind, number>> = { plants: 1 };
