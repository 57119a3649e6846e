/** The panel of a new webhook. */
import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { expect } from '../api/client.ts';
import { eventTypes } from '../live/event.ts';
import { useFault } from '../parts/fault.tsx';
import { useFocus } from '../parts/focus.ts';
import { Notice } from '../parts/notice.tsx';
import { askToDiscard } from '../parts/question.tsx';
import { useTask } from '../parts/task.ts';
import { useUnsaved } from '../parts/unsaved.ts';
import { useSession } from '../session.ts';
import type { Webhook } from './webhook.ts';

interface CreateProps {
  readonly onCreated: (webhookId: string, secret: string) => void;
  readonly onClose: () => void;
}

type EventType = Webhook['events'][number];

export const Create = ({ onCreated, onClose }: CreateProps) => {
  const { api } = useSession();
  const { isBusy, problem, run } = useTask();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<readonly EventType[]>(eventTypes);
  const panel = useFocus<HTMLFormElement>();
  const isTyped = url !== '' || description !== '';
  useUnsaved(isTyped);
  const urlFault = useFault(problem?.faults['url']);
  const descriptionFault = useFault(problem?.faults['description']);
  const close = async (): Promise<void> => {
    if (isTyped && !(await askToDiscard('the new webhook'))) return;
    onClose();
  };

  const submit = (event: TargetedEvent<HTMLFormElement, Event>): void => {
    event.preventDefault();
    void run(async () => {
      const body = { url: url.trim(), events: [...events], ...(description !== '' && { description }) };
      const { data } = await expect(api.webhooks.post(body));
      onCreated(data.id, data.secret);
    });
  };
  return (
    <form class="panel" ref={panel} tabIndex={-1} aria-label="New webhook" onSubmit={submit} noValidate>
      <h3>New webhook</h3>
      <div class="fields">
        <label class="wide">
          URL
          <input
            class="code"
            type="url"
            value={url}
            placeholder="https://"
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
            autocomplete="off"
            {...urlFault.attributes}
          />
          {urlFault.shown}
        </label>
        <label class="wide">
          Description
          <input
            value={description}
            onInput={({ currentTarget }) => setDescription(currentTarget.value)}
            autocomplete="off"
            {...descriptionFault.attributes}
          />
          {descriptionFault.shown}
        </label>
      </div>
      <fieldset class="row">
        <legend>Events</legend>
        {eventTypes.map((type) => (
          <label key={type} class="check">
            <input
              type="checkbox"
              checked={events.includes(type)}
              onChange={({ currentTarget: { checked } }) =>
                setEvents(eventTypes.filter((one) => (one === type ? checked : events.includes(one))))
              }
            />
            {type}
          </label>
        ))}
      </fieldset>
      <Notice problem={problem} />
      <p class="actions">
        <button type="submit" class="first" disabled={isBusy}>
          Create the webhook
        </button>
        <button type="button" onClick={() => void close()}>
          Cancel
        </button>
      </p>
    </form>
  );
};
