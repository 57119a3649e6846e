/** A block of text to read and to copy. With JavaScript, it has a button. */
export const Code = ({ text, name, copy = false, badge }: CodeProps) => (
  <figure class="code">
    {name !== undefined && <figcaption>{name}</figcaption>}
    {/* A block that scrolls must be reachable by keyboard. */}
    <pre tabindex={0} {...(copy && { 'data-copy': name ?? 'the text' })} data-badge={badge}>
      {text}
    </pre>
  </figure>
);

interface CodeProps {
  readonly text: string;
  readonly name?: string;
  readonly copy?: boolean;
  /** The file of a badge in the text. On a host, the script makes its address absolute. */
  readonly badge?: string;
}
