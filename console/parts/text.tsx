/** Text of others, such as a name: only ever shown as text, in its own direction. Characters that cannot be seen have their number. */

export const Text = ({ children }: { readonly children: string }) => <bdi class="text">{partsOf(children)}</bdi>;

/** A text that people do not read as words: an id, a URL, an entity tag. */
export const Code = ({ children }: { readonly children: string }) => <code dir="ltr">{partsOf(children)}</code>;

const partsOf = (text: string) =>
  text.split(unseen).map((part, index) => (index % 2 === 0 ? part : <span class="unseen">{escapeUnseen(part)}</span>));

/** Those of the Unicode categories Cc, Cf, Zl and Zp. In a group, so that `split` keeps them. */
const unseen = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}])/u;

const escapeUnseen = (character: string): string =>
  character.length === 1
    ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    : `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** A time of the API in the zone of the user, which it names. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {timeForm.format(new Date(at))}
  </time>
);

const timeForm = new Intl.DateTimeFormat('sv-SE', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** A number with its unit, such as `1 row` and `2 rows`. */
export const countOf = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
