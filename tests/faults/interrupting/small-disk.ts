import { chmodSync, chownSync, mkdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { serverUser } from '../../support/postgres/postgres-cluster.ts';

/** A disk in memory whose size can be changed. */
export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Leaves this much space. */
  leave(kibibytes: number): void;
  /** Ends the shortage. */
  enlarge(): void;
}

const mount = (...args: string[]): boolean => Bun.spawnSync(['mount', ...args], { stderr: 'ignore' }).success;

/** The places of all rounds stay on it. */
const largeKibibytes = 2 * 1024 * 1024;

/** Mounts the disk at a new folder, which belongs to the user of PostgreSQL. Absent where nothing can be mounted. */
export const mountSmallDisk = (folder: string): SmallDisk | undefined => {
  mkdirSync(folder);
  if (!mount('-t', 'tmpfs', '-o', `size=${largeKibibytes}k`, 'tmpfs', folder)) return undefined;
  const user = serverUser();
  if (user) chownSync(folder, user.uid, user.gid);
  for (const one of [dirname(folder), folder]) chmodSync(one, 0o755);
  const unmount = (): void => void Bun.spawnSync(['umount', '--lazy', folder], { stderr: 'ignore' });
  process.on('exit', unmount);
  const resize = (kibibytes: number): void => {
    if (!mount('-o', `remount,size=${kibibytes}k`, folder)) throw new Error('The disk cannot be resized.');
  };
  return {
    folder,
    leave: (kibibytes) => {
      const { blocks, bfree, bsize } = statfsSync(folder);
      resize(Math.ceil(((blocks - bfree) * bsize) / 1024) + kibibytes);
    },
    enlarge: () => resize(largeKibibytes),
    [Symbol.dispose]: unmount,
  };
};
