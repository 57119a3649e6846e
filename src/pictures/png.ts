/** PNG (https://www.w3.org/TR/png-3/): a signature, and chunks, each with its length, type and checksum. The last one is IEND. */

import { crc32 } from '../base/crc32.ts';
import { pictureGoesOn } from './failures.ts';
import { expect, type PictureFormat, type Size } from './format.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export const png: PictureFormat = {
  begins: (bytes) => bytes.subarray(0, signature.length).equals(signature),
  read: (bytes) => {
    let size: Size | undefined;
    let hasData = false;
    for (let at = signature.length; ; ) {
      expect(at + chunkBytesMin <= bytes.length);
      const length = bytes.readUInt32BE(at);
      const end = at + chunkBytesMin + length;
      expect(end <= bytes.length);
      const type = bytes.toString('latin1', at + 4, at + 8);
      expect(crc32(bytes.subarray(at + 4, end - 4)) === bytes.readUInt32BE(end - 4));
      if (size === undefined) {
        expect(type === 'IHDR' && length === 13);
        size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
      }
      hasData ||= type === 'IDAT';
      at = end;
      if (type !== 'IEND') continue;
      expect(hasData);
      expect(at === bytes.length, pictureGoesOn);
      return size;
    }
  },
};

/** The length, the type and the checksum. */
const chunkBytesMin = 12;
