import { Code, Text, Time } from '../parts/text.tsx';
import type { Plant } from './plant.ts';

interface TableProps {
  readonly plants: readonly Plant[];
  readonly canWrite: boolean;
  readonly onEdit: (id: string) => void;
  readonly onDelete: (id: string) => void;
}

export const Table = ({ plants, canWrite, onEdit, onDelete }: TableProps) => (
  <table class="wide-only">
    <caption class="unseen-label">Plants</caption>
    <thead>
      <tr>
        <th scope="col">Id</th>
        <th scope="col">Name</th>
        <th scope="col">Tag</th>
        <th scope="col">Updated</th>
        {canWrite && (
          <th scope="col">
            <span class="unseen-label">Actions</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {plants.map(({ id, name, tag, updatedAt }) => (
        <tr key={`${id}`}>
          <td data-label="Id" class="number">
            <Code>{`${id}`}</Code>
          </td>
          <td data-label="Name">
            <Text>{name}</Text>
          </td>
          <td data-label="Tag">
            <Tag tag={tag} />
          </td>
          <td data-label="Updated">
            <Time at={updatedAt} />
          </td>
          {canWrite && (
            <td>
              <div class="in-row">
                <button type="button" aria-label={`Edit plant ${id}`} onClick={() => onEdit(`${id}`)}>
                  Edit
                </button>
                <button type="button" aria-label={`Delete plant ${id}`} onClick={() => onDelete(`${id}`)}>
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
