/** Draws the picture of the Monstera in the sample: a leaf with slits, as a PNG of four colours. */
import { hash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const side = 32;

/** Transparent, the leaf, its veins, and the stem. */
const palette = [
  [255, 255, 255],
  [38, 122, 60],
  [116, 178, 96],
  [94, 133, 72],
];

const [none, leaf, vein, stem] = [0, 1, 2, 3];

/** The colour at a place, where x goes from -1 to 1 and y from 0, the tip, to 1. */
const colourAt = (x: number, y: number): number => {
  const distance = Math.abs(x);
  if (y > 0.86) return distance < 0.05 ? stem : none;
  const half = 0.92 * Math.sin(Math.PI * (y / 0.9) ** 0.8);
  if (distance > half) return none;
  if (distance < 0.04) return vein;
  const place = (((y + 0.35 * distance) * 6.5) % 1) - 0.5;
  if (Math.abs(place) < 0.16) return distance > 0.42 * half ? none : vein;
  return leaf;
};

const chunk = (type: string, content: Uint8Array): Buffer => {
  const typed = Buffer.concat([Buffer.from(type), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
};

/** Two bits a pixel. Each row begins with the number of its filter. */
const rows = (): Buffer => {
  const bytes = Buffer.alloc(side * (1 + side / 4));
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      const colour = colourAt(((column + 0.5) / side) * 2 - 1, (row + 0.5) / side);
      const at = row * (1 + side / 4) + 1 + (column >> 2);
      bytes[at] = (bytes[at] ?? 0) | (colour << (6 - 2 * (column % 4)));
    }
  return bytes;
};

const drawPng = (): Buffer => {
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 2, 3, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('tRNS', Buffer.from([0])),
    // Not compressed, so that every version of zlib writes the same bytes.
    chunk('IDAT', deflateSync(rows(), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

export const renderSamplePicture = (): string => {
  const png = drawPng();
  const picture = {
    type: 'image/png',
    width: side,
    height: side,
    bytes: png.length,
    digest: hash('sha256', png, 'hex'),
  };
  return `${JSON.stringify({ picture, content: png.toString('base64') }, null, 2)}\n`;
};
