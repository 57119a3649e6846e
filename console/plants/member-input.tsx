/** The field of one member, in a form and in a row. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useFault } from '../parts/fault.tsx';
import type { Member } from './members.ts';

interface MemberInputProps {
  readonly member: Member;
  readonly value: string | undefined;
  /** For screen readers, if no visible label is there. */
  readonly label?: string;
  readonly id?: string;
  /** Whether it takes the focus when it is shown. */
  readonly takesFocus?: boolean;
  /** What is wrong with the value. */
  readonly fault: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

export const MemberInput = (props: MemberInputProps) => {
  const { member, value, label, id, takesFocus = false, onChange } = props;
  const { name, title, isOptional } = member;
  const fault = useFault(props.fault);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) field.current?.select();
  }, []);
  const isNone = value === undefined;
  return (
    <>
      <span class="member">
        <input
          ref={field}
          id={id}
          name={name}
          value={value ?? ''}
          dir="auto"
          aria-label={label}
          placeholder={isOptional ? (isNone ? 'none' : 'empty') : undefined}
          onInput={({ currentTarget: { value: text } }) => onChange(isOptional && text === '' ? undefined : text)}
          autocomplete="off"
          {...fault.attributes}
        />
        {isOptional && (value ?? '') === '' && (
          <button
            type="button"
            aria-label={`${title}: ${isNone ? 'an empty text instead of none' : 'none instead of an empty text'}`}
            onClick={() => onChange(isNone ? '' : undefined)}
          >
            {isNone ? 'Empty' : 'None'}
          </button>
        )}
      </span>
      {fault.shown}
    </>
  );
};
