/** WebP (RFC 9649): a RIFF file, whose header has its length, with chunks that have theirs. */
import { pictureGoesOn } from './failures.ts';
import { expect, type PictureFormat, type Size } from './format.ts';

export const webp: PictureFormat = {
  begins: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  read: (bytes) => {
    const end = bytes.readUInt32LE(4) + 8;
    expect(end <= bytes.length);
    expect(end === bytes.length, pictureGoesOn);
    let size: Size | undefined;
    let hasData = false;
    for (let at = headerBytes; at < end; ) {
      expect(at + chunkHeaderBytes <= end);
      const type = bytes.toString('latin1', at, at + 4);
      const length = bytes.readUInt32LE(at + 4);
      const content = bytes.subarray(at + chunkHeaderBytes, at + chunkHeaderBytes + length);
      expect(content.length === length);
      size ??= sizeOf[type]?.(content);
      expect(size !== undefined);
      hasData ||= type !== 'VP8X' && (type in sizeOf || type === 'ANMF');
      // A chunk of odd length has a byte more.
      at += chunkHeaderBytes + length + (length % 2);
    }
    expect(size !== undefined && hasData);
    return size;
  },
};

const headerBytes = 12;
const chunkHeaderBytes = 8;

/** The size in the first chunk, by its type: a simple file, lossy or lossless, and an extended one. */
const sizeOf: Readonly<Record<string, (content: Buffer) => Size>> = {
  'VP8 ': (content) => {
    expect(content.length >= 10 && content.readUIntBE(3, 3) === 0x9d012a);
    return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
  },
  VP8L: (content) => {
    expect(content.length >= 5 && content[0] === 0x2f);
    const bits = content.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  },
  VP8X: (content) => {
    expect(content.length >= 10);
    return { width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1 };
  },
};
