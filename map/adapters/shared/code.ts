/** Generated code as text. */
import type { Session } from '../../measure/session.ts';

export const textOfFiles = async ({ file, folder }: Session, pattern: string): Promise<string> => {
  const names = [...new Bun.Glob(pattern).scanSync(folder)].sort();
  return (await Promise.all(names.map((name) => Bun.file(file(name)).text()))).join('\n');
};
