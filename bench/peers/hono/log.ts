/** A log of JSON lines in a file. They are written together, at the latest after a tenth of a second. */
import { openSync } from 'node:fs';

export const openLog = (path: string) => {
  const file = Bun.file(openSync(path, 'a')).writer({ highWaterMark: 16_384 });
  setInterval(() => file.flush(), 100);
  const write = (level: 'info' | 'error', line: object, msg: string): void => {
    file.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...line, msg })}\n`);
  };
  return {
    request: (line: object) => write('info', line, 'request'),
    defect: (line: object) => write('error', line, 'defect'),
  };
};
