/**
 * Finds damage of the log (`-wal`) that a killed process has left. SQLite reads a log up to the first frame with a wrong checksum, and reports no
 * error: it takes the rest for the end of a transaction that a power cut has torn. All commits behind the damage would be missing.
 *
 * A torn transaction is different from damage, since each commit is synced before the next frame is written, and that of a killed process when
 * the database is opened. So a frame that continues a commit proves that all frames before it were on the disk. A power cut can spoil only the
 * frames of the last transaction, and none of them continues its commit. Frames of an older log, whose space is used again, have other salts. Those
 * that a newer transaction has partly replaced continue nothing. Damage of the last transaction or of the commit before it, and a missing end of the
 * file, look like a power cut and are not found.
 *
 * When SQLite uses the space of a log again, it writes and syncs a new header first. That may be torn too, but then the database has all pages of
 * the old log.
 *
 * The format is in https://www.sqlite.org/fileformat2.html#walformat.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { tryTo } from '../base/error.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;

/**
 * Whether changes that were confirmed are behind damage in the log of this database. Reads the whole log, also while other processes write it.
 * Throws the error of the system if a read fails.
 */
export const isLogDamaged = (path: string): boolean => {
  // SQLite has the same error, and reports it, unless there is no log.
  const log = tryTo(() => openSync(`${path}-wal`, 'r'));
  if (log === undefined) return false;
  try {
    const header = readAt(log, 0, headerBytes);
    if (header.byteLength < headerBytes) return false;
    if (!isHeader(header)) return lacksPages(path, log) && isUnchanged(log, header);
    const broken = findBreak(log, header);
    // Another process writes frames in order, and a new header before them: so the frame or the header is another one now.
    return broken !== undefined && isUnchanged(log, broken.bytes, broken.position) && isUnchanged(log, header);
  } finally {
    // SQLite has no lock on this file, which this would release.
    closeSync(log);
  }
};

interface Frame {
  readonly position: number;
  readonly bytes: DataView;
}

/** The frame at which SQLite stops to read, if a frame behind it continues a commit. */
const findBreak = (log: number, header: DataView): Frame | undefined => {
  const isLittleEndian = header.getUint32(0) === littleEndianMagic;
  const { salts, sum } = linkOf(header, 16);
  let previous = sum;
  let isBehindCommit = false;
  let broken: Frame | undefined;
  for (const frame of framesOf(log, header.getUint32(8))) {
    const isNext = continues(frame, { salts, sum: previous }, isLittleEndian);
    if (broken === undefined) {
      if (!isNext) broken = frame;
    } else {
      if (isNext && isBehindCommit) return broken;
      // The mark of a commit may be that of an older frame, unless the checksum includes it.
      isBehindCommit = isNext && pagesAfterCommit(frame) > 0;
    }
    previous = linkOf(frame.bytes, 8).sum;
  }
  return undefined;
};

/** Whether the database lacks a page of the log behind a header that is not valid. */
const lacksPages = (path: string, log: number): boolean => {
  // It is never closed: a process that closes any descriptor of a database loses the locks of its connections.
  const database = openSync(path, 'r');
  const bytes = readAt(database, 0, 18);
  const pageBytes = bytes.byteLength < 18 ? 0 : bytes.getUint16(16) === 1 ? 65536 : bytes.getUint16(16);
  if (!isPageSize(pageBytes)) return false;
  const { positions, pages } = readCommitted(log, pageBytes);
  return [...positions].some(
    ([page, position]) =>
      page <= pages &&
      !isSame(readAt(database, (page - 1) * pageBytes, pageBytes), readAt(log, position + frameHeaderBytes, pageBytes)),
  );
};

/** Where the first unbroken run of frames has the newest content of each page, and the number of pages of the database, by its last commit. */
const readCommitted = (log: number, pageBytes: number) => {
  const positions = new Map<number, number>();
  let pages = 0;
  let sinceCommit: [page: number, position: number][] = [];
  let previous: Link | undefined;
  for (const frame of framesOf(log, pageBytes)) {
    if (previous && continues(frame, previous, true)) {
      sinceCommit.push([frame.bytes.getUint32(0), frame.position]);
      if (pagesAfterCommit(frame) > 0) {
        for (const [page, position] of sinceCommit) positions.set(page, position);
        pages = pagesAfterCommit(frame);
        sinceCommit = [];
      }
    } else if (positions.size > 0) break;
    else sinceCommit = [];
    previous = linkOf(frame.bytes, 8);
  }
  return { positions, pages };
};

/** Not 0 only in the last frame of a transaction. */
const pagesAfterCommit = ({ bytes }: Frame): number => bytes.getUint32(4);

/** What a frame must continue: the salts of this log, and the checksum of all that is before it. */
interface Link {
  readonly salts: bigint;
  readonly sum: Sum;
}

type Sum = readonly [number, number];

const linkOf = (bytes: DataView, offset: number): Link => ({
  salts: bytes.getBigUint64(offset),
  sum: [bytes.getUint32(offset + 8), bytes.getUint32(offset + 12)],
});

const continues = ({ bytes }: Frame, previous: Link, isLittleEndian: boolean): boolean => {
  const { salts, sum } = linkOf(bytes, 8);
  if (salts !== previous.salts) return false;
  const ofHeader = addTo(previous.sum, partOf(bytes, 0, 8), isLittleEndian);
  return isSameSum(addTo(ofHeader, partOf(bytes, frameHeaderBytes, bytes.byteLength), isLittleEndian), sum);
};

const partOf = ({ buffer, byteOffset }: DataView, start: number, end: number): DataView =>
  new DataView(buffer, byteOffset + start, end - start);

const addTo = ([first, second]: Sum, bytes: DataView, isLittleEndian: boolean): Sum => {
  let [a, b] = [first | 0, second | 0];
  for (let offset = 0; offset < bytes.byteLength; offset += 8) {
    a = (a + bytes.getInt32(offset, isLittleEndian) + b) | 0;
    b = (b + bytes.getInt32(offset + 4, isLittleEndian) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
};

const isSameSum = (a: Sum, b: Sum): boolean => a[0] === b[0] && a[1] === b[1];

const littleEndianMagic = 0x377f0682;
const bigEndianMagic = 0x377f0683;

const isHeader = (header: DataView): boolean => {
  const magic = header.getUint32(0);
  return (
    (magic === littleEndianMagic || magic === bigEndianMagic) &&
    isPageSize(header.getUint32(8)) &&
    isSameSum(addTo([0, 0], partOf(header, 0, 24), magic === littleEndianMagic), linkOf(header, 16).sum)
  );
};

const isPageSize = (bytes: number): boolean => bytes >= 512 && bytes <= 65536 && (bytes & (bytes - 1)) === 0;

function* framesOf(log: number, pageBytes: number): Generator<Frame> {
  const frameBytes = frameHeaderBytes + pageBytes;
  const blockBytes = frameBytes * Math.ceil(1024 ** 2 / frameBytes);
  for (let start = headerBytes; ; start += blockBytes) {
    const block = readAt(log, start, blockBytes);
    for (let offset = 0; offset + frameBytes <= block.byteLength; offset += frameBytes)
      yield { position: start + offset, bytes: new DataView(block.buffer, block.byteOffset + offset, frameBytes) };
    if (block.byteLength < blockBytes) return;
  }
}

/** Fewer bytes only at the end of the file. */
const readAt = (file: number, position: number, length: number): DataView => {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return new DataView(bytes.buffer, 0, filled);
};

const isUnchanged = (file: number, bytes: DataView, position = 0): boolean =>
  isSame(readAt(file, position, bytes.byteLength), bytes);

const isSame = (a: DataView, b: DataView): boolean =>
  Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));
