/** Which plants the list has, and in which order. */
import { useEffect, useState } from 'preact/hooks';
import { Text } from '../parts/text.tsx';

export type Sort = keyof typeof sorts;

export interface Filter {
  /** Plants with one of these tags; with any tag and without one, if there are none. */
  readonly tags: readonly string[];
  /** The beginning of their names. */
  readonly name: string;
  readonly sort: Sort;
}

export const everything: Filter = { tags: [], name: '', sort: 'id' };

const sorts = { id: 'Id', '-id': 'Id, descending', '-createdAt': 'Newest first', createdAt: 'Oldest first' };

const tagsMax = 10;

interface FilterFieldsProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

export const FilterFields = ({ filter, onChange }: FilterFieldsProps) => {
  const { tags, name, sort } = filter;
  return (
    <search class="row" aria-label="Plants">
      <NameField name={name} onChange={(text) => onChange({ ...filter, name: text })} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const tag = `${new FormData(form).get('tag')}`;
          form.reset();
          if (!tags.includes(tag)) onChange({ ...filter, tags: [...tags, tag] });
        }}
      >
        <label class="inline">
          Tag
          <input name="tag" placeholder="and Enter" autocomplete="off" disabled={tags.length === tagsMax} />
        </label>
      </form>
      <label class="inline">
        Order
        <select
          value={sort}
          onChange={({ currentTarget: { value } }) => onChange({ ...filter, sort: isSort(value) ? value : 'id' })}
        >
          {Object.entries(sorts).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          class="tag"
          aria-label={tag === '' ? 'Without the empty tag' : `Without the tag ${tag}`}
          onClick={() => onChange({ ...filter, tags: tags.filter((one) => one !== tag) })}
        >
          {tag === '' ? 'empty' : <Text>{tag}</Text>} ×
        </button>
      ))}
    </search>
  );
};

const isSort = (text: string): text is Sort => Object.hasOwn(sorts, text);

/** The list follows the field a moment after the last key. */
const NameField = ({ name, onChange }: { readonly name: string; readonly onChange: (name: string) => void }) => {
  const [text, setText] = useState(name);
  useEffect(() => {
    if (text === name) return;
    const timer = setTimeout(() => onChange(text), 300);
    return () => clearTimeout(timer);
  });
  return (
    <label class="inline">
      Name
      <input
        type="search"
        value={text}
        placeholder="begins with"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </label>
  );
};
