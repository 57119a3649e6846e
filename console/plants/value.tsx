/** The value of a member, to read. None and an empty text differ. */
import { Text } from '../parts/text.tsx';
import type { MemberName } from './members.ts';

interface ValueProps {
  readonly name: MemberName;
  readonly value: string | null | undefined;
}

export const Value = ({ name, value }: ValueProps) => {
  if (value === undefined || value === null) return <span class="quiet">none</span>;
  if (value === '') return <span class="quiet">empty</span>;
  return (
    <span class={name === 'tag' ? 'tag' : undefined}>
      <Text>{value}</Text>
    </span>
  );
};
