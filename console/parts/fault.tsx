/** What is wrong with the value of a field. */
import { useId } from 'preact/hooks';

/** `attributes` are for the field, and `shown` is beside it. */
export const useFault = (text: string | undefined) => {
  const id = useId();
  if (text === undefined) return { attributes: {}, shown: null };
  const attributes = { 'aria-invalid': true, 'aria-describedby': id };
  return {
    attributes,
    shown: (
      <small id={id} class="bad">
        {text}
      </small>
    ),
  };
};
