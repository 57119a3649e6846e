/** The picture of one plant. A file that is dropped, pasted, chosen or taken by the camera replaces it. */
import type { TargetedEvent } from 'preact';
import { useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { saveFile } from '../files/save-file.ts';
import { Notice } from '../parts/notice.tsx';
import { askFirst } from '../parts/question.tsx';
import { useLoaded, useTask } from '../parts/task.ts';
import { useUnsaved } from '../parts/unsaved.ts';
import type { Plant } from '../plants/members.ts';
import { useSession } from '../session.ts';
import { Drawing } from './drawing.tsx';
import { PictureFacts } from './picture-facts.tsx';
import { shrink } from './pictures.ts';
import { preparePicture } from './prepare.ts';

interface PlantPictureProps {
  readonly plant: Plant;
  readonly canChange: boolean;
}

/** In pixels. */
const shownSide = 1024;

export const PlantPicture = ({ plant: { id, picture }, canChange }: PlantPictureProps) => {
  const { pictures, actions } = useSession();
  const digest = picture?.digest;
  const load = useCallback(async () => {
    if (!picture) return undefined;
    const loaded = await pictures.read(id);
    return { ...loaded, bitmap: await shrink(loaded.blob, picture, shownSide) };
  }, [pictures, id, digest]);
  const { value, isCurrent, problem } = useLoaded(load);
  const seen = isCurrent ? value : undefined;
  const { isBusy, problem: failure, run } = useTask();
  const [isBare, setBare] = useState(false);
  useUnsaved(isBusy);
  // A picture that the user has not seen is not replaced.
  const canPut = canChange && !isBusy && isCurrent && !problem;

  // The button that the user has pressed goes with the picture, and the field is disabled meanwhile.
  const section = useRef<HTMLElement>(null);
  const isOwn = useRef(false);
  useLayoutEffect(() => {
    if (isOwn.current && document.activeElement === document.body) section.current?.focus({ preventScroll: true });
    isOwn.current = false;
  }, [digest]);
  const set = async (file: Blob | undefined): Promise<void> => {
    isOwn.current = true;
    await actions.setPicture(id, file, seen);
  };
  const put = (file: File | undefined): void => {
    if (file && canPut) void run(async () => set(await preparePicture(file, isBare)));
  };
  const remove = (): Promise<void> =>
    run(async () => {
      const title = `Remove the picture of plant ${id}?`;
      if (await askFirst(title, ['It cannot be restored.'], 'Remove it', 'Keep it')) await set(undefined);
    });
  // Not after the next frame: until then a paste would be lost.
  useLayoutEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const file = event.clipboardData?.files[0];
      if (!file) return;
      event.preventDefault();
      put(file);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  });
  const [isOver, setOver] = useState(false);
  const over = (event: TargetedEvent<HTMLElement, DragEvent>): void => {
    if (!canPut) return;
    event.preventDefault();
    setOver(true);
  };
  const leave = ({ currentTarget, relatedTarget }: TargetedEvent<HTMLElement, DragEvent>): void => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
  };
  const drop = (event: TargetedEvent<HTMLElement, DragEvent>): void => {
    setOver(false);
    event.preventDefault();
    put(event.dataTransfer?.files[0]);
  };
  const choose = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => {
    put(currentTarget.files?.[0]);
    // The same file can be chosen again.
    currentTarget.value = '';
  };

  return (
    <section
      class={isOver ? 'picture over' : 'picture'}
      ref={section}
      tabIndex={-1}
      aria-label="Picture"
      onDragOver={over}
      onDragLeave={leave}
      onDrop={drop}
    >
      <h4>Picture</h4>
      {picture && (
        <figure>
          {seen && <Drawing bitmap={seen.bitmap} label={`Picture of plant ${id}`} />}
          <figcaption>
            <PictureFacts picture={picture} />
          </figcaption>
        </figure>
      )}
      {!picture && <p class="quiet">none</p>}
      <Notice problem={failure ?? problem} />
      <p role="status">{isBusy && 'The picture is saved …'}</p>
      {canChange && (
        <div class="fields">
          <label>
            Drop or paste a picture, or choose one
            <input type="file" accept="image/*" disabled={!canPut} onChange={choose} />
          </label>
          <label class="camera">
            Take a picture
            <input type="file" accept="image/*" capture="environment" disabled={!canPut} onChange={choose} />
          </label>
          <label class="check">
            <input type="checkbox" checked={isBare} onChange={({ currentTarget }) => setBare(currentTarget.checked)} />
            Remove what the camera has noted in it, such as the place
          </label>
        </div>
      )}
      {seen && picture && (
        <p class="actions">
          <button type="button" onClick={() => saveFile(`plant${id}.${picture.type.slice(6)}`, seen.blob)}>
            Save as a file
          </button>
          {canChange && (
            <button type="button" class="danger" disabled={!canPut} onClick={() => void remove()}>
              Remove the picture
            </button>
          )}
        </p>
      )}
    </section>
  );
};
