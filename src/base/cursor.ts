/**
 * A cursor marks a place in a list by the last item that was seen, so it stays valid while items come and go. To a client it
 * is opaque: what it marks and the position, with a CRC-32 that no other text is likely to have.
 */
import { crc32 } from 'node:zlib';

/** The list that a cursor is a place in; another list refuses it. */
export type CursorKind = 'plants';

export const encodeCursor = (kind: CursorKind, position: bigint): string => {
  const bytes = Buffer.alloc(lengthBytes);
  bytes.writeUInt8(kinds[kind], 0);
  bytes.writeBigInt64BE(position, 1);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 9)), 9);
  return bytes.toString('base64url');
};

/** Absent when the text is not a cursor of this kind, letter by letter as `encodeCursor` writes it. */
export const decodeCursor = (kind: CursorKind, text: string): bigint | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== lengthBytes) return undefined;
  const position = bytes.readBigInt64BE(1);
  return encodeCursor(kind, position) === text ? position : undefined;
};

/** One byte of kind, eight of position, four of checksum. */
const lengthBytes = 13;
const kinds: Readonly<Record<CursorKind, number>> = { plants: 1 };
