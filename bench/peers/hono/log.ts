/** A log of JSON lines in a file. Bun writes those of one turn of the event loop together. */
import { openSync } from 'node:fs';

export type Log = ReturnType<typeof openLog>;

export const openLog = (path: string) => {
  const file = Bun.file(openSync(path, 'a')).writer();
  const write = (level: 'info' | 'error', line: object, msg: string): void => {
    file.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...line, msg })}\n`);
  };
  return {
    request: (line: object) => write('info', line, 'request'),
    defect: (line: object) => write('error', line, 'defect'),
  };
};
