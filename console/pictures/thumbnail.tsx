/** The picture of a row. It has its place from the beginning, and is loaded when the user sees the row. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../session.ts';
import { Drawing } from './drawing.tsx';
import type { Picture } from './pictures.ts';

interface ThumbnailProps {
  readonly id: bigint;
  readonly picture: Picture;
}

export const Thumbnail = ({ id, picture }: ThumbnailProps) => {
  const { pictures } = useSession();
  const place = useRef<HTMLSpanElement>(null);
  const [loaded, setLoaded] = useState<{ readonly digest: string; readonly bitmap: ImageBitmap }>();
  const { digest } = picture;
  useEffect(() => {
    if (!place.current) return;
    let hidden = new AbortController();
    const load = async (): Promise<void> => {
      hidden = new AbortController();
      try {
        setLoaded({ digest, bitmap: await pictures.thumbnail(id, picture, hidden.signal) });
        observer.disconnect();
      } catch {
        // It is tried again when the row is seen again. The panel of the plant says why it cannot be loaded.
      }
    };
    // The last entry is the current state: a row that has come and gone since the last call has two.
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting) void load();
      else hidden.abort();
    });
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      hidden.abort();
    };
  }, [pictures, id, digest]);
  return (
    <span class="thumbnail" ref={place}>
      {loaded?.digest === digest && <Drawing bitmap={loaded.bitmap} label={`Picture of plant ${id}`} />}
    </span>
  );
};
