/** What the readers of all formats have in common. */
import { AppError, type Failure } from '../base/app-error.ts';
import { brokenPicture } from './failures.ts';

/** The width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PictureFormat {
  /** Whether the file begins as one of this format. */
  readonly begins: (bytes: Buffer) => boolean;
  /** Reads the file to its end. Throws AppError for one that is incomplete, damaged, or goes on after its end. */
  readonly read: (bytes: Buffer) => Size;
}

/** Throws AppError unless the condition holds. */
export function expect(condition: boolean, failure: Failure = brokenPicture): asserts condition {
  if (!condition) throw new AppError(failure);
}
