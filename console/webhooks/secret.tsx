/** A secret, which the service shows only once. It is gone when the user closes this. */
import { useState } from 'preact/hooks';
import { useFocus } from '../parts/focus.ts';
import { Code } from '../parts/text.tsx';

interface SecretProps {
  readonly webhookId: string;
  readonly text: string;
  readonly onClose: () => void;
}

export const Secret = ({ webhookId, text, onClose }: SecretProps) => {
  const box = useFocus<HTMLElement>();
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied.');
    } catch {
      // Browsers have a clipboard only for https and localhost.
      setSaid('Select the secret, and copy it with the keyboard.');
    }
  };
  return (
    <section class="panel" ref={box} tabIndex={-1} aria-label="Secret">
      <h3>
        The secret of <Code>{webhookId}</Code>
      </h3>
      <p>Store it now: it is shown only once. The receiver verifies messages with it.</p>
      <p>
        <Code>{text}</Code>
      </p>
      <p class="actions">
        <button type="button" class="first" onClick={() => void copy()}>
          Copy the secret
        </button>
        <button type="button" onClick={onClose}>
          I have stored it
        </button>
        <span role="status">{said}</span>
      </p>
    </section>
  );
};
