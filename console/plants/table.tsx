import type { JSX } from 'preact';
import { Code, Text, Time } from '../parts/text.tsx';
import type { Plant } from './draft.ts';

interface TableProps {
  readonly plants: readonly Plant[];
  readonly canWrite: boolean;
  readonly onEdit: (id: string) => void;
  readonly onDelete: (id: string) => void;
}

interface Column {
  readonly title: string;
  readonly isNumber?: true;
  readonly show: (plant: Plant) => JSX.Element;
}

/** The compiler refuses a new member that has no column. */
const columns: Readonly<Record<Exclude<keyof Plant, 'createdAt'>, Column>> = {
  id: { title: 'Id', isNumber: true, show: ({ id }) => <Code>{`${id}`}</Code> },
  name: { title: 'Name', show: ({ name }) => <Text>{name}</Text> },
  tag: { title: 'Tag', show: ({ tag }) => <Tag tag={tag} /> },
  updatedAt: { title: 'Updated', show: ({ updatedAt }) => <Time at={updatedAt} /> },
};

export const Table = ({ plants, canWrite, onEdit, onDelete }: TableProps) => (
  <table class="wide-only">
    <caption class="unseen-label">Plants</caption>
    <thead>
      <tr>
        {Object.values(columns).map(({ title }) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
        {canWrite && (
          <th scope="col">
            <span class="unseen-label">Actions</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {plants.map((plant) => (
        <tr key={`${plant.id}`}>
          {Object.values(columns).map(({ title, isNumber, show }) => (
            <td key={title} data-label={title} class={isNumber && 'number'}>
              {show(plant)}
            </td>
          ))}
          {canWrite && (
            <td>
              <div class="in-row">
                <button type="button" aria-label={`Edit plant ${plant.id}`} onClick={() => onEdit(`${plant.id}`)}>
                  Edit
                </button>
                <button type="button" aria-label={`Delete plant ${plant.id}`} onClick={() => onDelete(`${plant.id}`)}>
                  Delete
                </button>
              </div>
            </td>
          )}
        </tr>
      ))}
    </tbody>
  </table>
);

/** No tag and an empty tag differ. */
export const Tag = ({ tag }: { readonly tag: string | null | undefined }) => {
  if (tag === undefined || tag === null) return <span class="quiet">none</span>;
  return tag === '' ? (
    <span class="quiet">empty</span>
  ) : (
    <span class="tag">
      <Text>{tag}</Text>
    </span>
  );
};
