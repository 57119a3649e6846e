/** Text of the data, in which backticks enclose code. */
export const Text = ({ text }: { readonly text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
);

export const plain = (text: string): string => text.replaceAll('`', '');

/** A count with its noun, such as `1 tool` and `2 tools`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
