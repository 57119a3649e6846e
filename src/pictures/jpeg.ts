/** JPEG (ITU-T T.81): segments, each begun by a marker. Compressed data follows the segment SOS, up to the next marker. The last one is EOI. */
import { pictureGoesOn } from './failures.ts';
import { expect, type PictureFormat, type Size } from './format.ts';

export const jpeg: PictureFormat = {
  begins: (bytes) => bytes[0] === markerPrefix && bytes[1] === startOfImage && bytes[2] === markerPrefix,
  read: (bytes) => {
    let size: Size | undefined;
    let hasData = false;
    for (let at = 2; ; ) {
      expect(bytes[at] === markerPrefix);
      // Any number of these bytes may come before a marker.
      while (bytes[at] === markerPrefix) at += 1;
      const marker = bytes[at] ?? 0;
      at += 1;
      if (marker === endOfImage) {
        expect(size !== undefined && hasData);
        expect(at === bytes.length, pictureGoesOn);
        return size;
      }
      expect(hasLength(marker) && at + 2 <= bytes.length);
      const end = at + bytes.readUInt16BE(at);
      expect(end >= at + 2 && end <= bytes.length);
      if (framesOfBrowsers.includes(marker)) {
        expect(size === undefined && end >= at + 7);
        size = { width: bytes.readUInt16BE(at + 5), height: bytes.readUInt16BE(at + 3) };
      }
      at = end;
      if (marker !== startOfScan) continue;
      expect(size !== undefined);
      hasData = true;
      at = endOfScan(bytes, at);
    }
  },
};

const markerPrefix = 0xff;
const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** Others stand alone, or do not exist outside of compressed data. */
const hasLength = (marker: number): boolean => marker >= 0xc0 && !(marker >= 0xd0 && marker <= startOfImage);

/** SOF0, SOF1 and SOF2: sequential and progressive, with Huffman codes. */
const framesOfBrowsers: readonly number[] = [0xc0, 0xc1, 0xc2];

/** The place of the marker after the compressed data, in which a marker is a restart, or the byte 0xFF if 0 follows. */
const endOfScan = (bytes: Buffer, start: number): number => {
  for (let at = start; ; at += 2) {
    at = bytes.indexOf(markerPrefix, at);
    expect(at !== -1 && at + 1 < bytes.length);
    const next = bytes[at + 1] ?? 0;
    const isRestart = next >= 0xd0 && next <= 0xd7;
    if (next !== 0 && !isRestart) return at;
  }
};
