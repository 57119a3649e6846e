/** The filters of the matrix. The script shows them; without it the whole matrix is read. */
import type { FeatureData, ToolData } from '../measure/data.ts';
import { plain } from './text.tsx';
import { verdicts, words } from './verdicts.ts';
import { byVersion } from './versions.ts';

interface FiltersProps {
  readonly tools: readonly ToolData[];
  readonly features: readonly FeatureData[];
}

export const Filters = ({ tools, features }: FiltersProps) => (
  <search>
    <form class="filters" aria-label="Filter the matrix" hidden>
      <Choice name="language" label="Language" options={languagesOf(tools).map((language) => [language, language])} />
      <Choice
        name="version"
        label="New in"
        options={byVersion(features).map(({ version }) => [version, `OpenAPI ${version}`])}
      />
      <Choice name="feature" label="Feature" options={features.map(({ id, name }) => [id, plain(name)])} />
      <Choice name="verdict" label="Verdict" options={verdicts.map((verdict) => [verdict, words[verdict]])} />
      <label>
        Tool or feature
        <input type="search" name="text" autocomplete="off" spellcheck={false} />
      </label>
      <p class="shown">
        <output aria-live="polite" /> <button type="reset">Show all</button>
      </p>
    </form>
  </search>
);

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  /** Values and what is shown. */
  readonly options: readonly (readonly [string, string])[];
}

const Choice = ({ name, label, options }: ChoiceProps) => (
  <label>
    {label}
    <select name={name}>
      <option value="">all</option>
      {options.map(([value, shown]) => (
        <option key={value} value={value}>
          {shown}
        </option>
      ))}
    </select>
  </label>
);

const languagesOf = (tools: readonly ToolData[]): string[] =>
  [...new Set(tools.map(({ language }) => language))].sort();
