/** A row of the table: to read, or with a field for each member. */
import { isExact, wordsForId } from '../api/json.ts';
import { Notice } from '../parts/notice.tsx';
import { Code, Time } from '../parts/text.tsx';
import { Thumbnail } from '../pictures/thumbnail.tsx';
import { Conflict } from './conflict.tsx';
import { EditButtons, EditCells } from './edit-row.tsx';
import type { Edit } from './edits.ts';
import { type MemberName, members, type Values, valuesOf } from './members.ts';
import type { Row } from './page-rows.ts';
import { asCell, asRow } from './roles.ts';
import type { RowActions } from './row-actions.ts';
import { Value } from './value.tsx';

interface RowProps {
  readonly row: Row;
  readonly edit: Edit | undefined;
  /** The member whose field takes the focus. */
  readonly focused: MemberName | undefined;
  readonly canWrite: boolean;
  readonly isSelected: boolean;
  /** The stop that Tab reaches, if it is in this row. */
  readonly tabStop: string | undefined;
  readonly actions: RowActions;
}

export const PlantRow = (props: RowProps) => {
  const { row, edit, canWrite, isSelected, tabStop, actions } = props;
  const { plant, mark } = row;
  const { id } = plant;
  const isOpen = edit !== undefined && !edit.isSaving;
  const stop = (name: string) => ({ 'data-stop': name, tabIndex: tabStop === name ? 0 : -1 });
  const isDeleted = mark === 'deleted';
  // A rounded id is that of another plant.
  const isKnown = isExact(id);
  const canChange = canWrite && !isDeleted && isKnown;
  return (
    <>
      <tr data-row={`${id}`} class={classOf(row, edit, isSelected)} aria-selected={isSelected} {...asRow}>
        {canWrite && (
          <td {...asCell} class="select">
            {canChange && (
              <input
                type="checkbox"
                aria-label={`Select plant ${id}`}
                checked={isSelected}
                onChange={() => actions.onSelect(plant)}
                {...stop('select')}
              />
            )}
          </td>
        )}
        <td {...asCell} data-label="Id" class="number" {...(!isKnown && stop('id'))}>
          {isKnown ? (
            <a href={actions.hrefOf(id)} aria-label={`Open plant ${id}`} {...stop('id')}>
              <Code>{`${id}`}</Code>
            </a>
          ) : (
            <Code>{wordsForId(id)}</Code>
          )}
          {plant.picture && !isDeleted && <Thumbnail id={id} picture={plant.picture} />}
          {mark && <span class="mark-word"> {mark}</span>}
          {edit?.isSaving && <span class="mark-word"> saving …</span>}
        </td>
        {isOpen ? (
          <EditCells edit={edit} focused={props.focused} actions={actions} />
        ) : (
          members.map(({ name, title }) => (
            <td
              key={name}
              {...asCell}
              data-label={title}
              {...stop(name)}
              {...(canChange && { class: 'editable', onClick: () => actions.onEdit(plant, name) })}
            >
              <CellValue name={name} values={edit?.values ?? valuesOf(plant)} stop={stop} onTag={actions.onTag} />
            </td>
          ))
        )}
        <td {...asCell} data-label="Created" {...stop('createdAt')}>
          <Time at={plant.createdAt} />
        </td>
        <td {...asCell} data-label="Updated" {...stop('updatedAt')}>
          <Time at={plant.updatedAt} />
        </td>
        <td {...asCell} class="row-actions">
          <div class="in-row">
            {isOpen ? (
              <EditButtons edit={edit} focused={props.focused} actions={actions} />
            ) : (
              <>
                {canChange && (
                  <button
                    type="button"
                    aria-label={`Edit plant ${id}`}
                    onClick={() => actions.onEdit(plant, 'name')}
                    {...stop('edit')}
                  >
                    Edit
                  </button>
                )}
                {canChange && (
                  <button
                    type="button"
                    aria-label={`Delete plant ${id}`}
                    onClick={() => actions.onDelete(plant)}
                    {...stop('delete')}
                  >
                    Delete
                  </button>
                )}
                {canWrite && isDeleted && isKnown && (
                  <button
                    type="button"
                    aria-label={`Restore plant ${id}`}
                    onClick={() => actions.onRestore(plant)}
                    {...stop('restore')}
                  >
                    Restore
                  </button>
                )}
              </>
            )}
          </div>
        </td>
      </tr>
      {isOpen && (edit.problem || edit.stored) && (
        <tr class="below" {...asRow}>
          <td {...asCell} colSpan={members.length + 5}>
            <Notice problem={edit.problem} />
            {edit.stored && (
              <Conflict
                edit={edit}
                stored={edit.stored}
                onSave={(values) => actions.onResolve(id, values)}
                onCancel={() => actions.onCancel(id, 'name')}
              />
            )}
          </td>
        </tr>
      )}
    </>
  );
};

const classOf = ({ mark }: Row, edit: Edit | undefined, isSelected: boolean): string =>
  [mark, edit && 'editing', isSelected && 'selected'].filter(Boolean).join(' ');

interface CellValueProps {
  readonly name: MemberName;
  readonly values: Values;
  readonly stop: (name: string) => object;
  readonly onTag: (tag: string) => void;
}

/** A tag selects the plants that have it. */
const CellValue = ({ name, values, stop, onTag }: CellValueProps) => {
  const value = values[name];
  if (name !== 'tag' || value === undefined || value === '') return <Value name={name} value={value} />;
  return (
    <button
      type="button"
      class="tag"
      aria-label={`Only plants with the tag ${value}`}
      onClick={(event) => {
        event.stopPropagation();
        onTag(value);
      }}
      {...stop('chip')}
    >
      <Value name="name" value={value} />
    </button>
  );
};
