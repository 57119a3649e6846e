/** A decoded picture. A canvas needs no address, so the page can forbid images from all addresses. */
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DrawingProps {
  readonly bitmap: ImageBitmap;
  /** For screen readers. */
  readonly label: string;
}

export const Drawing = ({ bitmap, label }: DrawingProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0), [bitmap]);
  return <canvas ref={canvas} role="img" aria-label={label} width={bitmap.width} height={bitmap.height} />;
};
