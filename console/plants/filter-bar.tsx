/** Which plants the list has, and in which order: one field, the tags as chips, and the order, which the headings have too. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Text } from '../parts/text.tsx';
import { isSort, type ListPlace, readSearch, sorts, tagsMax, withFilter } from './list-place.ts';

interface FilterBarProps {
  readonly place: ListPlace;
  /** Tags of the plants that are shown. */
  readonly tagsShown: readonly string[];
  /** `isSmall` is true while the user types. */
  readonly onChange: (place: ListPlace, isSmall: boolean) => void;
}

const offeredMax = 8;

export const FilterBar = ({ place, tagsShown, onChange }: FilterBarProps) => {
  const { tags, sort } = place;
  const setTags = (next: readonly string[]): void => onChange(withFilter(place, { tags: next }), false);
  const offered = tags.length < tagsMax ? tagsShown.filter((tag) => !tags.includes(tag)).slice(0, offeredMax) : [];
  return (
    <search class="filter" aria-label="Plants">
      <SearchField
        text={place.search}
        onSearch={(search, isSmall) => onChange(withFilter(place, { search }), isSmall)}
        onTag={(tag) => {
          if (!tags.includes(tag) && tags.length < tagsMax)
            onChange(withFilter(place, { search: '', tags: [...tags, tag] }), false);
        }}
      />
      <label class="inline">
        Order
        <select
          value={sort}
          onChange={({ currentTarget: { value } }) =>
            onChange(withFilter(place, { sort: isSort(value) ? value : 'id' }), false)
          }
        >
          {Object.entries(sorts).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {(tags.length > 0 || offered.length > 0) && (
        <fieldset class="chips" aria-label="Tags">
          {[...tags, ...offered].map((tag) => (
            <button
              key={tag}
              type="button"
              class="tag"
              aria-pressed={tags.includes(tag)}
              onClick={() => setTags(tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag])}
            >
              {tag === '' ? 'empty tag' : <Text>{tag}</Text>}
              {tags.includes(tag) && <span aria-hidden="true"> ×</span>}
            </button>
          ))}
        </fieldset>
      )}
    </search>
  );
};

interface SearchFieldProps {
  readonly text: string;
  readonly onSearch: (text: string, isSmall: boolean) => void;
  readonly onTag: (tag: string) => void;
}

/** The list follows the field a moment after the last key. */
const SearchField = ({ text, onSearch, onTag }: SearchFieldProps) => {
  const [typed, setTyped] = useState(text);
  /** What the list has been asked for. */
  const asked = useRef(text);
  useEffect(() => {
    // Another page of the history.
    if (text !== asked.current) setTyped(text);
    asked.current = text;
  }, [text]);
  const search = (isSmall: boolean): void => {
    const meant = readSearch(typed);
    if ('tag' in meant) {
      if (isSmall) return;
      asked.current = '';
      setTyped('');
      onTag(meant.tag);
    } else if (meant.search !== asked.current) {
      asked.current = meant.search;
      onSearch(meant.search, isSmall);
    }
  };
  // The rest of the place may change before the timer ends.
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(true), 300);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <form
      class="wide"
      onSubmit={(event) => {
        event.preventDefault();
        search(false);
      }}
    >
      <input
        type="search"
        class="search"
        aria-label="Search"
        value={typed}
        placeholder="Part of a name, or tag:shade and Enter"
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape' && typed === '') currentTarget.blur();
        }}
        autocomplete="off"
      />
    </form>
  );
};
