/**
 * The panel of one plant: a new one, or one to change or delete. A change and a deletion have the version that the panel shows in `If-Match`.
 * If the plant has another version by then, the panel shows both and asks.
 */
import type { TargetedEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { exact } from '../../examples/eden/client.ts';
import { expect } from '../api/client.ts';
import { asProblem, Problem } from '../api/problem.ts';
import { useFocus } from '../parts/focus.ts';
import { Notice } from '../parts/notice.tsx';
import { useTask } from '../parts/task.ts';
import { Code } from '../parts/text.tsx';
import { useSession } from '../session.ts';
import { Conflict } from './conflict.tsx';
import { type Draft, draftOf } from './draft.ts';
import { Fields } from './fields.tsx';
import { deletePlant, getPlant, type Stored, updatePlant } from './plant.ts';

interface EditorProps {
  /** Undefined for a new plant. */
  readonly id: string | undefined;
  readonly isDeleting: boolean;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export const Editor = ({ id, isDeleting, onDone, onClose }: EditorProps) => {
  const { api } = useSession();
  const { isBusy, problem, run, clear } = useTask();
  const [draft, setDraft] = useState<Draft>({ id: id ?? '', name: '', tag: undefined });
  const [stored, setStored] = useState<Stored>();
  /** The version that is stored now, if it is not the one in the panel. */
  const [newer, setNewer] = useState<Stored>();
  const panel = useFocus<HTMLFormElement>();

  const show = (next: Stored): void => {
    setStored(next);
    setDraft(draftOf(next.plant));
    setNewer(undefined);
    clear();
  };
  useEffect(() => {
    if (id !== undefined) void run(async () => show(await getPlant(api, id)));
  }, []);

  /** `etag` is the version that may be changed. */
  const save = (version: Stored | undefined): Promise<void> =>
    run(async () => {
      try {
        if (!version) await create(draft);
        else if (isDeleting) await deletePlant(api, version);
        else await updatePlant(api, draft, version.etag);
        onDone();
      } catch (error) {
        const { status } = asProblem(error);
        if (status === 412 && version) setNewer(await getPlant(api, `${version.plant.id}`));
        else throw error;
      }
    });
  const create = async ({ id, name, tag, ...others }: Draft): Promise<void> => {
    // The compiler refuses a new member that is not here.
    const none = others satisfies Record<string, never>;
    await expect(api.plants.post(exact({ id: readId(id), name, ...(tag !== undefined && { tag }), ...none })));
  };
  const submit = (event: TargetedEvent<HTMLFormElement, Event>): void => {
    event.preventDefault();
    void save(stored);
  };

  const title = id === undefined ? 'New plant' : `${isDeleting ? 'Delete' : 'Edit'} plant ${id}`;
  const isReady = id === undefined || stored !== undefined;
  return (
    <form class="panel" ref={panel} tabIndex={-1} aria-label={title} onSubmit={submit} noValidate>
      <h3>{title}</h3>
      <Fields draft={draft} isNew={id === undefined} isDisabled={isDeleting || !isReady} onChange={setDraft} />
      {stored && (
        <p class="quiet">
          Version <Code>{stored.etag}</Code>: the change is made only if the plant still has it.
        </p>
      )}
      <Notice problem={problem} />
      {newer ? (
        <Conflict
          draft={isDeleting ? undefined : draft}
          newer={newer}
          isBusy={isBusy}
          onKeepMine={() => {
            setStored(newer);
            setNewer(undefined);
            void save(newer);
          }}
          onTakeStored={() => show(newer)}
        />
      ) : (
        <p class="actions">
          <button type="submit" class={isDeleting ? 'danger' : 'first'} disabled={isBusy || !isReady}>
            {isDeleting ? 'Delete the plant' : 'Save'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      )}
    </form>
  );
};

/** An int64 as a BigInt. Throws Problem for a text that is no integer, since the API could not be asked. */
const readId = (text: string): bigint => {
  if (/^-?\d+$/.test(text.trim())) return BigInt(text.trim());
  throw new Problem({
    status: 400,
    message: 'The id must be an integer from -9223372036854775808 to 9223372036854775807.',
  });
};
