/** Both versions of a plant that somebody else has changed, and the choice between them. */
import type { JSX } from 'preact';
import { useFocus } from '../parts/focus.ts';
import { Code, Text, Time } from '../parts/text.tsx';
import { type Draft, draftOf, type Member } from './draft.ts';
import type { Stored } from './plant.ts';
import { Tag } from './table.tsx';

interface ConflictProps {
  /** Undefined if the plant is to be deleted. */
  readonly draft: Draft | undefined;
  readonly newer: Stored;
  readonly isBusy: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeStored: () => void;
}

/** The members that can differ. The compiler refuses a new one that has no row. */
const rows: Readonly<Record<Exclude<Member, 'id'>, { title: string; show: (plant: Draft) => JSX.Element }>> = {
  name: { title: 'Name', show: ({ name }) => <Text>{name}</Text> },
  tag: { title: 'Tag', show: ({ tag }) => <Tag tag={tag} /> },
};

export const Conflict = ({ draft, newer: { plant, etag }, isBusy, onKeepMine, onTakeStored }: ConflictProps) => {
  const box = useFocus<HTMLDivElement>(etag);
  return (
    <div class="conflict" role="alert" tabIndex={-1} ref={box}>
      <p>
        <strong>Somebody else has changed this plant</strong> at <Time at={plant.updatedAt} />. Nothing was overwritten.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Member</th>
            {draft && <th scope="col">Yours</th>}
            <th scope="col">Stored now</th>
          </tr>
        </thead>
        <tbody>
          {Object.values(rows).map(({ title, show }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {draft && <td>{show(draft)}</td>}
              <td>{show(draftOf(plant))}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Version</th>
            {draft && <td class="quiet">not saved</td>}
            <td>
              <Code>{etag}</Code>
            </td>
          </tr>
        </tbody>
      </table>
      <p class="actions">
        <button type="button" class="danger" disabled={isBusy} onClick={onKeepMine}>
          {draft ? 'Overwrite with mine' : 'Delete it anyway'}
        </button>
        <button type="button" onClick={onTakeStored}>
          {draft ? 'Take the stored one' : 'Look at it again'}
        </button>
      </p>
    </div>
  );
};
