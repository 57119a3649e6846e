/** The panel of a new webhook. */
import { useState } from 'preact/hooks';
import { expect } from '../api/client.ts';
import { eventTypes } from '../live/event.ts';
import { useFault } from '../parts/fault.tsx';
import { NewForm } from '../parts/new-form.tsx';
import { useTask } from '../parts/task.ts';
import { useSession } from '../session.ts';
import type { Webhook } from './webhook.ts';

interface CreateProps {
  readonly onCreated: (webhookId: string, secret: string) => void;
  readonly onClose: () => void;
}

type EventType = Webhook['events'][number];

export const Create = ({ onCreated, onClose }: CreateProps) => {
  const { api } = useSession();
  const task = useTask();
  const { problem } = task;
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<readonly EventType[]>(eventTypes);
  const urlFault = useFault(problem?.faults['url']);
  const descriptionFault = useFault(problem?.faults['description']);

  const create = async (): Promise<void> => {
    const body = { url: url.trim(), events: [...events], ...(description !== '' && { description }) };
    const { data } = await expect(api.webhooks.post(body));
    onCreated(data.id, data.secret);
  };
  return (
    <NewForm
      noun="webhook"
      save="Create the webhook"
      isTyped={url !== '' || description !== ''}
      {...{ task, create, onClose }}
    >
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
    </NewForm>
  );
};
