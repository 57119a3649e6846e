import { getBuiltinModule } from 'node:process';
import { lazy } from './lazy.ts';

/** The module takes 1 ms and 1.5 MiB. */
const zlib = lazy(() => getBuiltinModule('node:zlib'));

/** The CRC-32 of the bytes, or of the text in UTF-8. */
export const crc32 = (data: string | Uint8Array): number => zlib().crc32(data);
